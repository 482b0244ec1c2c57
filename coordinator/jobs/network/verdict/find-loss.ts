import { median, scaledMad } from './quantile.ts';
import type { JudgedAttempt, JudgedLink } from './run-verdict.ts';

/** Share of segments sent again from which a link counts as lossy. */
const LOSSY_SHARE = 0.001;
/** Where all links lose (a shaper's or a policer's own drops), lossy is what stands out among them by both of these. */
const TIMES_MEDIAN = 4;
/** ... standard deviations of the logarithm: such shares are skewed, a burst here and none there. */
const DEVIATIONS = 3.5;
/** Fewer segments sent again say nothing; more do where their count less two standard deviations is above the limit. */
const FEWEST_RETRANSMITS = 5;
const SIGNIFICANCE = 2;
/** A lost message comes again after at least 200 ms on Linux (TCP_RTO_MIN). */
const RESENT_US = 200_000;
/** A median within this many times the usual one is normal. */
const NORMAL_TIMES = 2;

/** How an attempt stands against the limit: 1 is at the limit, below 1 is fine; null: not known. */
export type LossOf = (attempt: JudgedAttempt) => number;

/**
 * Loss of an attempt over what is allowed, 0 where nothing tells of any. What is allowed comes from the first attempts of
 * all links, since segments sent again are usual where a queue is short.
 */
export function lossAgainst(links: readonly JudgedLink[]): LossOf {
  const firsts = links.flatMap(({ attempts }) =>
    attempts.filter(({ attempt, status }) => attempt === 1 && status === 'ok'),
  );
  const shares = firsts.flatMap((attempt) => retransmitShare([attempt]) ?? []);
  const usual = median(shares) ?? 0;
  const logs = shares.filter((share) => share > 0).map(Math.log);
  const spread = usual > 0 ? scaledMad(logs, Math.log(usual)) : 0;
  const allowed = Math.max(LOSSY_SHARE, TIMES_MEDIAN * usual, usual * Math.exp(DEVIATIONS * spread));
  const usualP50 = median(firsts.flatMap(({ rtt_us }) => rtt_us?.p50 ?? [])) ?? 0;
  const usualP99 = median(firsts.flatMap(({ rtt_us }) => rtt_us?.p99 ?? [])) ?? 0;
  return (attempt) => {
    if (attempt.status !== 'ok') return 0;
    const resent = surelyResent(attempt) / allowed;
    return resent > 1 || !isDelayedByLoss(attempt, usualP50, usualP99) ? resent : RESENT_FACTOR;
  };
}

/** What a round trip that waited for a message to come again counts as, there being no share to tell. */
const RESENT_FACTOR = 2;

/** Least share that the count stands for, 0 where it is too small to tell. */
function surelyResent({ retransmits, segments }: JudgedAttempt): number {
  if (retransmits === null || segments === null || segments <= 0 || retransmits < FEWEST_RETRANSMITS) return 0;
  return (retransmits - SIGNIFICANCE * Math.sqrt(retransmits)) / segments;
}

function isDelayedByLoss({ rtt_us }: JudgedAttempt, usualP50: number, usualP99: number): boolean {
  if (rtt_us === null || rtt_us.p99 < RESENT_US || rtt_us.p99 < TIMES_MEDIAN * usualP99) return false;
  return rtt_us.p50 <= NORMAL_TIMES * usualP50;
}

/** Segments sent again of all segments of these attempts; null where no attempt knows. */
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
