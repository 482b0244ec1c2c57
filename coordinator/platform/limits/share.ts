import type { DomainError } from '../errors.ts';
import { MINUTE_MS, type Rate } from './rate.ts';

/** This process's share of one bucket: tokens leased from the database, and the last known state of the rest. */
export interface Share {
  readonly key: string;
  rate: Rate;
  /** tokens leased and not spent */
  held: number;
  /** tokens held just after the last lease, and when that was */
  chunk: number;
  chunkAt: number;
  /** tokens in the shared bucket at the last answer, and when that was */
  left: number;
  leftAt: number;
  /** the bucket was empty: the database is not asked again before this time */
  refusedUntil: number;
  usedAt: number;
  /** callers waiting for the next lease */
  waiting: number;
  /** settles when the pending request does */
  asking: PromiseWithResolvers<void> | null;
  /** waits to join the next request of other shares */
  rides: boolean;
  /** unused for a while: its tokens are returned */
  isIdle: boolean;
  /** local bucket used while the database does not answer */
  alone: { tokens: number; at: number } | null;
  /** outcome of the last allowed call */
  told: Taken | null;
}

/** The outcome of charging a call: header values, and the error if the call is refused. */
export interface Charged {
  /**
   * Values of `RateLimit-Policy` and `RateLimit`: draft-ietf-httpapi-ratelimit-headers-10, structured fields (RFC 9651). The
   * policy is `q` requests in `w` seconds; `r` of them may be sent at once now, and in `t` seconds the bucket is full.
   */
  policy: string;
  left: string;
  /** `rate_limited` if the bucket was empty */
  refused: DomainError | null;
}

/** The outcome of one request. */
export interface Taken {
  allowed: boolean;
  /** Tokens in the whole bucket as last known here, to a thousandth of its size; other processes may have taken some since. */
  remaining: number;
  fullInSeconds: number;
  /** 0 if allowed */
  retryAfterSeconds: number;
  /** null until the texts have been created */
  charged: Charged | null;
}

/** A lease is a fiftieth of the bucket, or a thirtieth if the last was used up quickly: three processes then hold a tenth. */
const USUAL_PART = 50;
const QUICK_PART = 30;
const QUICK_MS = 1000;
/** Minimum pause after a refusal before the database is asked again, so that it is spared a flood of refused calls. */
const LEAST_PAUSE_MS = 100;

/**
 * Divisor: the reported remainder is reused until it has changed by this part of the bucket, because a new header value per
 * call, which node then validates, costs more than taking the token. For buckets of up to a thousand tokens every call gets
 * the exact number.
 */
const TOLD_PART = 1000;

export const newShare = (key: string, rate: Rate, time: number): Share => ({
  key,
  rate,
  held: 0,
  chunk: 0,
  chunkAt: Number.NEGATIVE_INFINITY,
  left: rate.burst,
  leftAt: time,
  refusedUntil: Number.NEGATIVE_INFINITY,
  usedAt: time,
  waiting: 0,
  asking: null,
  rides: false,
  isIdle: false,
  alone: null,
  told: null,
});

/** After a change of rate: discards refusals by the old rate, and held tokens beyond the larger lease of the new one. */
export function changeRate(share: Share, rate: Rate): void {
  share.rate = rate;
  share.told = null;
  share.refusedUntil = Number.NEGATIVE_INFINITY;
  share.held = Math.min(share.held, partOf(rate, QUICK_PART));
  share.left = Math.min(share.left, rate.burst);
  share.alone = null;
}

/** Tokens to request from the database; if negative, tokens to return, which this call removes from `held`. */
export function nextWanted(share: Share, time: number): number {
  if (share.isIdle && share.waiting === 0) {
    const back = -share.held;
    share.held = 0;
    return back;
  }
  const usedUpQuickly = time - share.chunkAt < QUICK_MS;
  const target = partOf(share.rate, usedUpQuickly ? QUICK_PART : USUAL_PART);
  return Math.max(0, Math.min(share.rate.burst, Math.max(target, share.waiting)) - share.held);
}

export function acceptAnswer(
  share: Share,
  { wanted, granted, left }: { wanted: number; granted: number; left: number },
  time: number,
): void {
  share.alone = null;
  share.left = left;
  share.leftAt = time;
  if (wanted <= 0) return;
  share.held += granted;
  share.chunk = share.held;
  share.chunkAt = time;
  if (granted >= wanted) return;
  share.refusedUntil = time + Math.max(LEAST_PAUSE_MS, ((1 - left) * MINUTE_MS) / share.rate.perMinute);
}

/** True when half of a lease is spent: the next should be fetched before a caller has to wait for it. */
export const wantsMore = ({ held, chunk, asking }: Share): boolean => asking === null && chunk > 1 && held <= chunk / 2;

/** True when a quarter is spent: joining a request that others cause anyway postpones the share's own next one. */
export const wouldRide = ({ held, chunk, asking, rides }: Share): boolean =>
  !rides && asking === null && chunk > 1 && held <= (chunk * 3) / 4;

/** Takes a token from a local bucket, which starts with the tokens that the shared one should have after the last answer. */
export function takeAlone(share: Share, time: number): Taken {
  const bucket = (share.alone ??= { tokens: leftNow(share, time), at: time });
  bucket.tokens = filled(share.rate, bucket.tokens, time - bucket.at);
  bucket.at = time;
  if (bucket.tokens >= 1) {
    bucket.tokens -= 1;
    return allowed(share, bucket.tokens);
  }
  return refused(share, bucket.tokens, ((1 - bucket.tokens) * MINUTE_MS) / share.rate.perMinute);
}

export function takeHeld(share: Share, time: number): Taken {
  share.held -= 1;
  return allowed(share, share.held + leftNow(share, time));
}

export const refuse = (share: Share, time: number): Taken =>
  refused(share, leftNow(share, time), share.refusedUntil - time);

/** Returns the same object while nothing has changed, so that its text is created once. */
function allowed(share: Share, tokens: number): Taken {
  const { rate, told } = share;
  const remaining = Math.floor(Math.min(rate.burst, tokens));
  const fullInSeconds = fullIn(rate, tokens);
  if (told?.fullInSeconds === fullInSeconds && Math.abs(told.remaining - remaining) < rate.burst / TOLD_PART)
    return told;
  share.told = { allowed: true, remaining, fullInSeconds, retryAfterSeconds: 0, charged: null };
  return share.told;
}

function refused({ rate }: Share, tokens: number, waitMs: number): Taken {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return { allowed: false, remaining: 0, fullInSeconds: fullIn(rate, tokens), retryAfterSeconds, charged: null };
}

const partOf = ({ burst }: Rate, part: number): number => Math.max(1, Math.floor(burst / part));

const fullIn = ({ perMinute, burst }: Rate, tokens: number): number =>
  Math.max(0, Math.ceil(((burst - tokens) * 60) / perMinute));

const filled = ({ perMinute, burst }: Rate, tokens: number, elapsedMs: number): number =>
  Math.min(burst, tokens + (Math.max(0, elapsedMs) * perMinute) / MINUTE_MS);

const leftNow = (share: Share, time: number): number => filled(share.rate, share.left, time - share.leftAt);
