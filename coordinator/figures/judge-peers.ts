import { otherArithmetic, jointEngine, notCompared } from '../contract/matrix-engine.ts';
import type { RuledVerdict } from '../contract/figure-verdict.ts';
import type { Finding, JudgedFigure } from './judge-figure.ts';
import { median, orNull } from './statistics.ts';

interface PeerVerdict extends RuledVerdict {
  verdict: 'ok' | 'warn' | 'bad';
  /** value / median of the group, above 1 for a faster device; null if no figure could be compared */
  ratio: number | null;
}

/** Healthy devices of one node stay within 5 % of each other. */
const WARN_BEYOND = 0.03;
const FAIL_BEYOND = 0.05;
/** With fewer, a median does not say who is the odd one. */
const FEWEST_FOR_A_MEDIAN = 3;

/**
 * One figure of devices of the same model in one node, each against their median. Falling behind by more than 3 % is a
 * warning, by more than 5 % a failure; running ahead is not. Of two that differ by more than 5 % nobody can say which is
 * wrong: both are warned of. One device, or a value that is not positive, has no verdict but `ok` and no ratio.
 * @param better whether a higher value is the better one; latencies are better lower
 */
export function judgePeers(values: readonly number[], better: 'higher' | 'lower' = 'higher'): PeerVerdict[] {
  const usable = values.filter((value) => Number.isFinite(value) && value > 0);
  const middle = orNull(median(usable));
  return values.map((value): PeerVerdict => {
    if (usable.length < 2 || middle === null || !(value > 0) || !Number.isFinite(value)) {
      return { ratio: null, verdict: 'ok', rule: 'no peer to compare with' };
    }
    const ratio = better === 'higher' ? value / middle : middle / value;
    return { ratio, ...(usable.length < FEWEST_FOR_A_MEDIAN ? verdictOfTwo(usable) : verdictOf(ratio, usable.length)) };
  });
}

function verdictOf(ratio: number, count: number): Pick<PeerVerdict, 'verdict' | 'rule'> {
  const behind = 1 - ratio;
  const group = `the median of the ${count} devices of this model`;
  if (behind <= WARN_BEYOND) return { verdict: 'ok', rule: `not more than ${percent(WARN_BEYOND)} behind ${group}` };
  const isFailure = behind > FAIL_BEYOND;
  const limit = percent(isFailure ? FAIL_BEYOND : WARN_BEYOND);
  return { verdict: isFailure ? 'bad' : 'warn', rule: `${percent(behind)} behind ${group}, limit ${limit}` };
}

function verdictOfTwo(pair: readonly number[]): Pick<PeerVerdict, 'verdict' | 'rule'> {
  const apart = 1 - Math.min(...pair) / Math.max(...pair);
  if (apart <= FAIL_BEYOND) {
    return { verdict: 'ok', rule: `the two devices of this model differ by no more than ${percent(FAIL_BEYOND)}` };
  }
  const limit = percent(FAIL_BEYOND);
  return { verdict: 'warn', rule: `the two devices of this model differ by ${percent(apart)}, limit ${limit}` };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** One figure of one card among the cards of its model in the node. */
interface PeerFigure {
  figure: JudgedFigure;
  value: number;
}

/**
 * One metric of the cards of one model beside the median of those that the same engine measured in the same arithmetic. A
 * card without such a peer is not compared, with the sentence why: the difference of two programs would pass for that of
 * two cards.
 */
export function judgePeerGroup<T extends PeerFigure>(
  cards: readonly T[],
  better: 'higher' | 'lower',
): { card: T; finding: Finding }[] {
  const groups = [...Map.groupBy(cards, ({ figure }) => `${figure.engine} ${figure.arithmetic ?? ''}`).values()];
  return groups.flatMap((group) => {
    const others = cards.filter((card) => !group.includes(card));
    if (group.length === 1 && others.length > 0) return group.map((card) => ({ card, finding: refusal(card, others) }));
    const judged = judgePeers(
      group.map(({ value }) => value),
      better,
    );
    return group.flatMap((card, index) => {
      const { verdict = 'ok', rule = '' } = judged[index] ?? {};
      const reason = verdict === 'ok' ? null : rule;
      return group.length < 2
        ? []
        : [{ card, finding: { metric: card.figure.metric, verdict, rule: 'peers', reason } }];
    });
  });
}

function refusal({ figure }: PeerFigure, others: readonly PeerFigure[]): Finding {
  const here = figure.arithmetic ?? null;
  const theirs = others.map((other) => other.figure.arithmetic ?? null);
  const [another = null] = theirs;
  if (!theirs.includes(here)) {
    const reason = otherArithmetic('the other cards of this model', here, another);
    return { metric: figure.metric, verdict: 'ok', rule: 'peers', reason, refused: true };
  }
  const there = jointEngine(others.flatMap((other) => other.figure.engine ?? [])) ?? 'mixed';
  const reason = notCompared('the other cards of this model', figure.engine ?? 'mixed', there);
  return { metric: figure.metric, verdict: 'ok', rule: 'peers', reason, refused: true };
}
