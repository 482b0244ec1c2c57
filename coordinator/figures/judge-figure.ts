import type { FigureVerdict, RuledVerdict } from '../contract/figure-verdict.ts';
import { type Arithmetic, engineNames, isGemmMetric, type MatrixEngine } from '../contract/matrix-engine.ts';
import type { LoadClass, LoadMark } from '../contract/load-class.ts';
import { atLeast, jointLoad, otherLoad } from './compare-loads.ts';
import { limitsOf, type Limits } from './comparison-limits.ts';
import { ENGINES_GAP_MAX, jointMark, notCompared, otherArithmetic } from './compare-engines.ts';
import { CORE_SHARE_MIN } from '../contract/quick-mark.ts';
import { median, orNull } from './statistics.ts';

/** What the rules read of one figure, on the machine that measured it and again on the coordinator. */
export interface JudgedFigure {
  metric: string;
  value: number | null;
  unit: string;
  reason: string | null;
  cv: number | null;
  verified: boolean | null;
  /** Share of the measured time in which the threads had their cores; null if the device uses none of the host's cores. */
  core_share: number | null;
  /** Set for matrix products only: every other figure has one source. */
  engine: MatrixEngine | null;
  /** Set for `fp32_tflops` only, whose arithmetic depends on the device; null or absent for others. */
  arithmetic?: Arithmetic | null;
  /** Of matrix products, multiply-add and issue peaks; null or absent if unknown. */
  load?: LoadClass | null;
}

/** What a rule says about one figure of one device. `ok` without a reason: it passed; with one: a remark. */
export interface Finding {
  metric: string;
  verdict: FigureVerdict;
  /** The rule's name, such as `peers`. */
  rule: string;
  reason: string | null;
  /** The rule was not applied, and the reason says why. */
  refused?: true;
  /** Above what has been published for the model: no other machine is compared with it. */
  beyond?: true;
}

/**
 * Largest plausible spread. A processor shares its cores and memory with everything else, a card does not. Under a matrix
 * product the clock follows the power and fluctuates: by 1 to 6 % on healthy H100 and H200, in torch's series too.
 */
const SPREAD_MAX = { cpu: 0.1, product: 0.08, card: 0.05 } as const;

/** A figure of a card that depends on its host as much as on the card. */
const HOST_FIGURE = 'kernel_launch_overhead_us';

/** The worse verdict counts. A figure that is both absent and throttled is `warn`. */
const SEVERITY: Record<FigureVerdict, number> = { ok: 0, absent: 1, warn: 2, bad: 3 };

export const isWorse = (one: FigureVerdict, other: FigureVerdict): boolean => SEVERITY[one] > SEVERITY[other];

/** The worst finding; of equally bad ones that of the earlier rule. */
export const worstFinding = ([first, ...others]: readonly [Finding, ...Finding[]]): Finding =>
  others.reduce((held, finding) => (isWorse(finding.verdict, held.verdict) ? finding : held), first);

/** A figure that failed its check is dropped. One that only looks wrong is kept and marked. */
export const valueOf = (figure: Pick<JudgedFigure, 'value' | 'verified'>): number | null =>
  figure.verified === false ? null : figure.value;

/** The finding from the figure's own data: verification, absence, spread, core share. */
export function ownFinding(figure: JudgedFigure, vendor: string): Finding {
  const says = (verdict: FigureVerdict, rule: string, reason: string | null): Finding => ({
    metric: figure.metric,
    verdict,
    rule,
    reason,
  });
  if (figure.verified === false)
    return says('bad', 'verification', figure.reason ?? 'the result differs from its reference');
  if (figure.value === null) return says('absent', 'absence', figure.reason ?? 'the runner gave no reason');
  const limit = spreadMax(figure.metric, vendor);
  if (figure.cv !== null && figure.cv > limit)
    return says('warn', 'spread', `spread above ${limit * 100} %: other work on it or unsteady clocks`);
  if (figure.core_share !== null && figure.core_share < CORE_SHARE_MIN)
    return says(
      'warn',
      'core share',
      `the threads had their cores only ${Math.floor(figure.core_share * 100)} % of the time`,
    );
  return says('ok', figure.cv === null ? 'verification' : 'spread', null);
}

function spreadMax(metric: string, vendor: string): number {
  if (vendor === 'cpu' || metric === HOST_FIGURE) return SPREAD_MAX.cpu;
  return isGemmMetric(metric) ? SPREAD_MAX.product : SPREAD_MAX.card;
}

/**
 * A remark on the figures on which the vendor's library and our kernels differ by more than they should: a doubt about one of
 * the two programs, never about the card, whose figure still counts and votes. Nothing if only one of them measured.
 */
export function engineFindings(
  figures: readonly JudgedFigure[],
  details: (metric: string) => Record<string, unknown>,
): Finding[] {
  return figures.flatMap((figure) =>
    isGemmMetric(figure.metric) ? (gapFinding(figure, details(figure.metric)) ?? []) : [],
  );
}

/** What an engine reached according to these details, TFLOP/s; null if it was unavailable, not requested or wrong. */
export function tflopsBy(engine: MatrixEngine, details: Record<string, unknown>): number | null {
  const tflops = memberOf(memberOf(details['engines'], engine), 'tflops');
  return typeof tflops === 'number' && Number.isFinite(tflops) && tflops > 0 ? tflops : null;
}

function gapFinding({ metric, unit }: JudgedFigure, details: Record<string, unknown>): Finding | null {
  const [vendor, own] = [tflopsBy('vendor', details), tflopsBy('own', details)];
  if (vendor === null || own === null) return null;
  const gap = Math.abs(vendor - own) / Math.max(vendor, own);
  if (gap <= ENGINES_GAP_MAX) return null;
  const figures = `${engineNames.vendor} ${printed(vendor)}, ${engineNames.own} ${printed(own)} ${unit}`;
  const share = `${(gap * 100).toFixed(1)} % apart, limit ${ENGINES_GAP_MAX * 100} %`;
  const cause = vendor < own ? 'the library may be too old for this card' : 'a kernel of ours may not suit this card';
  return { metric, verdict: 'ok', rule: 'engines', reason: `${figures}: ${share}; ${cause}` };
}

const memberOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

/** Four significant digits, without an exponent. */
const printed = (value: number): string => String(Number(value.toPrecision(4)));

interface PeerVerdict extends RuledVerdict {
  verdict: 'ok' | 'warn' | 'bad';
  /** value / median of the group, above 1 for a faster device; null if no figure could be compared */
  ratio: number | null;
  /** of a device behind by more than healthy ones are in most figures, though not in this one */
  remark?: string;
}

/** With fewer, a median does not show which one is the outlier. */
const FEWEST_FOR_A_MEDIAN = 3;

/**
 * One figure of devices of the same model in one node, each against their median: falling behind by more than the limits is a
 * warning or a failure, by more than they would be for any figure a remark; running ahead is nothing. If two devices differ by more
 * than their limit, it is unclear which one is wrong, and both get a warning. A single device, or a value that is not positive, gets
 * `ok` and no ratio.
 * @param better whether higher or lower values are better; lower for latencies
 * @param of the figure and its load, which decide how far healthy cards are apart
 */
export function judgePeers(
  values: readonly number[],
  better: 'higher' | 'lower' = 'higher',
  of: { metric: string; load: LoadMark | null } = { metric: 'memory_bandwidth_gbs', load: null },
): PeerVerdict[] {
  const usable = values.filter((value) => Number.isFinite(value) && value > 0);
  const middle = orNull(median(usable));
  const limits = limitsOf(of.metric, of.load, usable.length < FEWEST_FOR_A_MEDIAN ? 'two' : 'peers');
  return values.map((value): PeerVerdict => {
    if (usable.length < 2 || middle === null || !(value > 0) || !Number.isFinite(value)) {
      return { ratio: null, verdict: 'ok', rule: 'no peer to compare with' };
    }
    const ratio = better === 'higher' ? value / middle : middle / value;
    const judged =
      usable.length < FEWEST_FOR_A_MEDIAN ? verdictOfTwo(usable, limits) : verdictOf(ratio, usable.length, limits);
    return { ratio, ...judged };
  });
}

function verdictOf(ratio: number, count: number, limits: Limits): Omit<PeerVerdict, 'ratio'> {
  const behind = 1 - ratio;
  const group = `the median of the ${count} devices of this model`;
  if (behind <= limits.warn) {
    const rule = `not more than ${percent(limits.warn)} behind ${group}`;
    const remark = `${percent(behind)} behind ${group}: healthy ones differ by up to ${percent(limits.warn)} in this figure`;
    return { verdict: 'ok', rule, ...(behind > WORTH_SAYING ? { remark } : {}) };
  }
  const isFailure = behind > limits.bad;
  const limit = percent(isFailure ? limits.bad : limits.warn);
  return { verdict: isFailure ? 'bad' : 'warn', rule: `${percent(behind)} behind ${group}, limit ${limit}` };
}

function verdictOfTwo(pair: readonly number[], { bad }: Limits): Omit<PeerVerdict, 'ratio'> {
  const apart = 1 - Math.min(...pair) / Math.max(...pair);
  if (apart <= bad) {
    const rule = `the two devices of this model differ by no more than ${percent(bad)}`;
    const remark = `the two devices of this model differ by ${percent(apart)}: healthy ones by up to ${percent(bad)} in this figure`;
    return { verdict: 'ok', rule, ...(apart > WORTH_SAYING_OF_TWO ? { remark } : {}) };
  }
  const limit = percent(bad);
  return { verdict: 'warn', rule: `the two devices of this model differ by ${percent(apart)}, limit ${limit}` };
}

/** What is a warning for figures that hardly spread is a remark for the others; of two cards, as their limit is. */
const WORTH_SAYING = 0.03;
const WORTH_SAYING_OF_TWO = 0.05;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** One figure of one card among the cards of its model in the node. */
interface PeerFigure {
  figure: JudgedFigure;
  value: number;
}

/**
 * One metric of the cards of one model against the median of those that the same engine measured in the same arithmetic under
 * the same load. A card without such a peer is not compared, and a sentence says why: a difference between two programs would
 * look like one between two cards. One run gives all its cards the same time, so that an unknown or brief load is the same
 * for all of them; over so short a time the limits are wider.
 */
export function judgePeerGroup<T extends PeerFigure>(
  cards: readonly T[],
  better: 'higher' | 'lower',
): { card: T; finding: Finding }[] {
  const groups = [...Map.groupBy(cards, ({ figure }) => `${computedIn(figure)} ${loadOf(figure)}`).values()];
  return groups.flatMap((group) => {
    const others = cards.filter((card) => !group.includes(card));
    if (group.length === 1 && others.length > 0) return group.map((card) => ({ card, finding: refusal(card, others) }));
    const of = {
      metric: group[0]?.figure.metric ?? '',
      load: jointLoad(group.map(({ figure }) => figure.load ?? null)),
    };
    const values = group.map(({ value }) => value);
    const judged = judgePeers(values, better, of);
    return group.flatMap((card, index) => {
      const { verdict = 'ok', rule = '', remark = null } = judged[index] ?? {};
      const reason = verdict === 'ok' ? remark : rule;
      return group.length < 2
        ? []
        : [{ card, finding: { metric: card.figure.metric, verdict, rule: 'peers', reason } }];
    });
  });
}

const computedIn = ({ engine, arithmetic }: JudgedFigure): string => `${engine} ${arithmetic ?? ''}`;
const loadOf = ({ load }: JudgedFigure): string => atLeast(load ?? null) ?? '';

function refusal({ figure }: PeerFigure, others: readonly PeerFigure[]): Finding {
  const here = figure.arithmetic ?? null;
  const theirs = others.map((other) => other.figure.arithmetic ?? null);
  const [another = null] = theirs;
  if (!theirs.includes(here)) {
    const reason = otherArithmetic('the other cards of this model', here, another);
    return { metric: figure.metric, verdict: 'ok', rule: 'peers', reason, refused: true };
  }
  const alike = others.filter((other) => computedIn(other.figure) === computedIn(figure));
  if (alike.length > 0) {
    const reason = otherLoad('the other cards of this model', figure.load ?? null, alike[0]?.figure.load ?? null);
    return { metric: figure.metric, verdict: 'ok', rule: 'peers', reason, refused: true };
  }
  const there = jointMark(others.flatMap((other) => other.figure.engine ?? [])) ?? 'mixed';
  const reason = notCompared('the other cards of this model', figure.engine ?? 'mixed', there);
  return { metric: figure.metric, verdict: 'ok', rule: 'peers', reason, refused: true };
}
