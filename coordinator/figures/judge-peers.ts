import type { RuledVerdict } from '../contract/figure-verdict.ts';
import type { LoadMark } from '../contract/load-class.ts';
import { atLeast, jointLoad, otherLoad } from './compare-loads.ts';
import { limitsOf, type Limits } from './comparison-limits.ts';
import { jointMark, notCompared, otherArithmetic } from './compare-engines.ts';
import type { Finding, JudgedFigure } from './judge-figure.ts';
import { median, orNull } from './statistics.ts';

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
