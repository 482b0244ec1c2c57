/** How good or bad a finding or verdict is; the layout has a colour and a shape for each. */
export type Tone = 'good' | 'warn' | 'bad' | 'open';

/** One thing a reader must know; `level` is printed as a word beside it. */
export interface Finding {
  level: 'failure' | 'warning' | 'note';
  text: string;
  /** a check of a valid figure failed: the machine is at fault, not the measurement */
  isFault?: boolean;
}

const order: Finding['level'][] = ['failure', 'warning', 'note'];

/** Worst first, within a level in order of appearance; without duplicates. */
export function sortFindings(findings: Finding[]): Finding[] {
  const distinct = new Map(findings.toReversed().map((finding) => [finding.text, finding]));
  const inOrder = [...distinct.values()].toReversed();
  return inOrder.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

export const toneOf = (level: Finding['level']): Tone =>
  level === 'failure' ? 'bad' : level === 'warning' ? 'warn' : 'open';
