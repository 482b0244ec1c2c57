import { median, orNull } from './statistics.ts';
import type { RuledVerdict } from '../contract/figure-verdict.ts';

export interface PeerVerdict extends RuledVerdict {
  verdict: 'ok' | 'warn' | 'bad';
  /** value / median of the group, above 1 for a faster device; null where no figure could be compared */
  ratio: number | null;
}

/** Healthy devices of one node stay within 5 % of each other. */
const WARN_BEYOND = 0.03;
const FAIL_BEYOND = 0.05;
/** With fewer, a median does not say who is the odd one. */
const FEWEST_FOR_A_MEDIAN = 3;

/**
 * One figure of devices of the same model in one node, each against their median. Falling behind by more than 3 % is a
 * warning, by more than 5 % a failure; running ahead is none. Of two that differ by more than 5 % nobody can say which is
 * wrong: both are warned of. One device, or a value that is no positive number, has no verdict but `ok` and no ratio.
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
