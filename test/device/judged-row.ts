/** `skipped`: this run could not have shown it. */
export type Verdict = 'ok' | 'MISSED' | 'no peer' | 'skipped';

export interface Target {
  at_least: number | null;
  at_most: number | null;
}

export interface Check {
  /** a sentence's beginning: "ratio to torch", "CV of every round" */
  rule: string;
  value: number | null;
  target: Target;
  verdict: Verdict;
  /** why there is no value */
  reason: string | null;
}

/** One line of the table, with everything behind it. Statistics are over the rounds. */
export interface JudgedRow {
  id: string;
  label: string;
  unit: string;
  /** median of the rounds' medians */
  median: number | null;
  /** per round; null if that round has none */
  rounds: (number | null)[];
  /** why there is no number, of the first round that has none */
  reason: string | null;
  /** samples of all rounds together; null if the figure is not a median of samples */
  n: number | null;
  /** the largest of the rounds, standard deviation over mean */
  cv_worst: number | null;
  /** (largest - smallest) / median of the rounds */
  spread: number | null;
  peer: { name: string; median: number | null; rounds: (number | null)[]; reason: string | null } | null;
  /** median of the rounds' ratios, ours / peer of the same round */
  ratio: number | null;
  checks: Check[];
}

/** What the line shows: the worst of its checks; null if nothing is demanded of it. */
export function verdictOf(row: JudgedRow): Verdict | null {
  const verdicts = new Set(row.checks.map((check) => check.verdict));
  for (const verdict of ['MISSED', 'no peer', 'skipped', 'ok'] as const) {
    if (verdicts.has(verdict)) return verdict;
  }
  return null;
}

/** Compares a value with its target. Without a value the verdict is `otherwise`. */
export function check(
  rule: string,
  value: number | null,
  target: Partial<Target>,
  reason: string | null = null,
  otherwise: Verdict = 'MISSED',
): Check {
  const { at_least = null, at_most = null } = target;
  const meets = value !== null && (at_least === null || value >= at_least) && (at_most === null || value <= at_most);
  return {
    rule,
    value,
    target: { at_least, at_most },
    verdict: value === null ? otherwise : meets ? 'ok' : 'MISSED',
    reason: value === null ? (reason ?? 'there is no figure') : null,
  };
}
