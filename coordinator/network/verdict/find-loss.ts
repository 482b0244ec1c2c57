import { linearMedian, orNull, scaledMad } from '../../figures/statistics.ts';
import type { JudgedAttempt, JudgedLink } from './run-verdict.ts';

/** Share of segments sent again from which a link counts as lossy. */
const LOSSY_SHARE = 0.001;
/** Where all links lose (a shaper's or a policer's own drops), lossy is what stands out among them by both of these. */
const TIMES_MEDIAN = 4;
/** ... standard deviations of the logarithm: such shares are skewed, a burst here and none there. */
const DEVIATIONS = 3.5;
/** What such a spread explains at most; beyond it the median alone excuses. */
const MOST_BY_CHANCE = 0.05;
/** Standard deviations (roots of the count) that a count is taken less, so that up to four segments sent again say nothing. */
const SIGNIFICANCE = 2;
/** A lost message comes again after at least 200 ms on Linux (TCP_RTO_MIN). */
const RESENT_US = 200_000;
/** A median within this many times the usual one is normal. */
const NORMAL_TIMES = 2;

/** Links beside the judged one that tell what is usual; with fewer only what no queue explains is loss. */
const FEWEST_OTHERS = 5;
const SHARE_BEYOND_QUEUES = 0.02;
/** From so many links on one more or less does not move the median, and all are held against the same. */
const MANY_LINKS = 64;

/** Loss of an attempt at a link over what is allowed: above 1 is lossy, 0 if nothing tells of any. */
export type LossOf = (link: number, attempt: JudgedAttempt) => number;

/**
 * What is allowed comes from the first attempts of the other links, since segments sent again are usual where a queue is
 * short. Where a message came again, but no count tells, the loss counts as twice what is allowed.
 */
export function lossAgainst(links: readonly JudgedLink[]): LossOf {
  const firsts = links.flatMap(({ link, attempts }) =>
    attempts.flatMap((attempt) => (attempt.attempt === 1 && attempt.status === 'ok' ? [{ link, attempt }] : [])),
  );
  const common = usualOf(firsts.map(({ attempt }) => attempt));
  const beside = (link: number): Usual =>
    firsts.length >= MANY_LINKS
      ? common
      : usualOf(firsts.flatMap((first) => (first.link === link ? [] : first.attempt)));
  return (link, attempt) => {
    if (attempt.status !== 'ok') return 0;
    const usual = beside(link);
    const resent = surelyResent(attempt) / usual.allowed;
    return resent > 1 || !isDelayedByLoss(attempt, usual) ? resent : RESENT_FACTOR;
  };
}

interface Usual {
  /** share of segments */
  allowed: number;
  /** medians, microseconds; null: no other link tells */
  p50: number | null;
  p99: number | null;
}

function usualOf(others: readonly JudgedAttempt[]): Usual {
  const shares = others.flatMap((attempt) => retransmitShare([attempt]) ?? []);
  const usual = orNull(linearMedian(shares)) ?? 0;
  const logs = shares.filter((share) => share > 0).map(Math.log);
  const isFew = shares.length < FEWEST_OTHERS;
  const spread = usual > 0 && !isFew ? scaledMad(logs, Math.log(usual)) : 0;
  const least = isFew ? SHARE_BEYOND_QUEUES : LOSSY_SHARE;
  return {
    allowed: Math.max(least, TIMES_MEDIAN * usual, Math.min(MOST_BY_CHANCE, usual * Math.exp(DEVIATIONS * spread))),
    p50: orNull(linearMedian(others.flatMap(({ rtt_us }) => rtt_us?.p50 ?? []))),
    p99: orNull(linearMedian(others.flatMap(({ rtt_us }) => rtt_us?.p99 ?? []))),
  };
}

/** What a round trip that waited for a message to come again counts as, there being no share to tell. */
const RESENT_FACTOR = 2;

/** Least share that the count stands for, 0 if it is too small to tell. */
function surelyResent({ retransmits, segments }: JudgedAttempt): number {
  if (retransmits === null || segments === null || segments <= 0) return 0;
  return Math.max(0, retransmits - SIGNIFICANCE * Math.sqrt(retransmits)) / segments;
}

/** Some round trips waited for a message to be sent again while most were as quick as on other links. */
function isDelayedByLoss({ rtt_us }: JudgedAttempt, usual: Usual): boolean {
  if (rtt_us === null || rtt_us.p99 < RESENT_US || rtt_us.p99 < TIMES_MEDIAN * (usual.p99 ?? 0)) return false;
  return rtt_us.p50 <= NORMAL_TIMES * (usual.p50 ?? Infinity) && rtt_us.p50 < rtt_us.p99 / TIMES_MEDIAN;
}

/** Segments sent again of all segments of these attempts; null if no attempt knows. */
export function retransmitShare(attempts: readonly JudgedAttempt[]): number | null {
  let again = 0;
  let all = 0;
  for (const { retransmits, segments } of attempts) {
    if (retransmits === null || segments === null) continue;
    again += retransmits;
    all += segments;
  }
  return all > 0 ? again / all : null;
}
