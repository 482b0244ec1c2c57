import { linearMedian, orNull, scaledMad } from '../../figures/statistics.ts';
import type { Direction, JudgedAttempt, JudgedLink, SentSegments } from './run-verdict.ts';

/** Share of retransmitted segments from which a link counts as lossy. */
const LOSSY_SHARE = 0.001;
/** If all links lose packets (a shaper or policer drops them), a lossy link must exceed this multiple of their median, */
const TIMES_MEDIAN = 4;
/** and the median by this many standard deviations of the logarithm, since bursts skew such shares. */
const DEVIATIONS = 3.5;
/** The largest share that such a spread can explain; above it only the multiple of the median counts. */
const MOST_BY_CHANCE = 0.05;
/**
 * Standard deviations (square roots of the count) subtracted from a count, so that up to four retransmitted segments
 * are not significant.
 */
const SIGNIFICANCE = 2;
/** A lost message is retransmitted after at least 200 ms on Linux (TCP_RTO_MIN). */
const RESENT_US = 200_000;
/** A direction that loses this multiple of the other's share is the lossy one. */
const TIMES_OTHER = 4;
/** A median up to this multiple of the usual one is normal. */
const NORMAL_TIMES = 2;

/**
 * Minimum number of other links to derive the usual loss from; with fewer, only loss that queues cannot explain counts.
 */
const FEWEST_OTHERS = 5;
const SHARE_BEYOND_QUEUES = 0.02;
/** From this many links on, a single link does not shift the median, and all are compared with the same one. */
const MANY_LINKS = 64;

type Counts = Pick<JudgedAttempt, 'retransmits' | 'segments'>;

/** Ratio of an attempt's loss to the allowed loss: above 1 is lossy, 0 without signs of loss. */
export type LossOf = (link: number, attempt: JudgedAttempt) => number;

/**
 * The allowed loss comes from the first attempts of the other links, since retransmissions are common with short queues.
 * If a message was retransmitted, but the counts do not show it, the loss counts as twice the allowed loss.
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
  /** medians, microseconds; null: no other link has one */
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

/** The ratio for a round trip that waited for a retransmission, if the counts do not show loss. */
const RESENT_FACTOR = 2;

/** Lower bound of the share that the count implies; 0 if it is not significant. */
function surelyResent({ retransmits, segments }: Counts): number {
  if (retransmits === null || segments === null || segments <= 0) return 0;
  return Math.max(0, retransmits - SIGNIFICANCE * Math.sqrt(retransmits)) / segments;
}

/** Whether some round trips waited for a retransmission while most were as fast as on other links. */
function isDelayedByLoss({ rtt_us }: JudgedAttempt, usual: Usual): boolean {
  if (rtt_us === null || rtt_us.p99 < RESENT_US || rtt_us.p99 < TIMES_MEDIAN * (usual.p99 ?? 0)) return false;
  return rtt_us.p50 <= NORMAL_TIMES * (usual.p50 ?? Infinity) && rtt_us.p50 < rtt_us.p99 / TIMES_MEDIAN;
}

/** Share of retransmitted segments over all these counts; null if every one is unknown. */
export function retransmitShare(counts: readonly Counts[]): number | null {
  const { retransmits, segments } = totalOf(counts);
  return segments > 0 ? retransmits / segments : null;
}

/**
 * The direction whose sender surely retransmitted several times the other's share. A lost acknowledgement does not cost
 * a segment, so the loss is in the direction of the segments. Null if unknown, or if both directions lose.
 */
export function lossyDirection(attempts: readonly JudgedAttempt[]): Direction | null {
  const totalIn = (direction: Direction) => totalOf(attempts.flatMap(({ sent }) => sent?.[direction] ?? []));
  const [forward, reverse] = [totalIn('forward'), totalIn('reverse')];
  const isBeyond = (one: SentSegments, other: SentSegments): boolean =>
    other.segments > 0 && surelyResent(one) > (TIMES_OTHER * other.retransmits) / other.segments;
  if (isBeyond(forward, reverse)) return 'forward';
  return isBeyond(reverse, forward) ? 'reverse' : null;
}

/** Sums only complete counts, so that their ratio is consistent. */
function totalOf(counts: readonly Counts[]): SentSegments {
  const total = { retransmits: 0, segments: 0 };
  for (const { retransmits, segments } of counts) {
    if (retransmits === null || segments === null) continue;
    total.retransmits += retransmits;
    total.segments += segments;
  }
  return total;
}
