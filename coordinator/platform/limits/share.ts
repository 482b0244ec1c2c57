import type { DomainError } from '../errors.ts';
import { MINUTE_MS, type Rate } from './rate.ts';

/** What this process has of one bucket: tokens leased from the database, and what it remembers of the rest. */
export interface Share {
  readonly key: string;
  rate: Rate;
  /** leased and not spent */
  held: number;
  /** what was held with the last lease, and when that came */
  chunk: number;
  chunkAt: number;
  /** in the shared bucket at the last answer */
  left: number;
  leftAt: number;
  /** the database had none; until then it is not asked */
  refusedUntil: number;
  usedAt: number;
  /** callers in line for the next lease */
  waiting: number;
  /** settles with the question under way */
  asking: PromiseWithResolvers<void> | null;
  /** entered to go along with the next question of others */
  rides: boolean;
  /** nobody used it for a while: what is held goes back */
  isIdle: boolean;
  /** spent from while the database does not answer */
  alone: { tokens: number; at: number } | null;
  /** what the last call that passed was told */
  told: Taken | null;
}

/** What a call hears of it. */
export interface Charged {
  /**
   * What stands in `RateLimit-Policy` and in `RateLimit`: draft-ietf-httpapi-ratelimit-headers-10, structured fields (RFC 9651). The
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
  /** Tokens of the whole bucket as far as this process knows, within a thousandth of it; others may have taken some since. */
  remaining: number;
  fullInSeconds: number;
  /** 0 if allowed */
  retryAfterSeconds: number;
  /** null until somebody has put it into words */
  charged: Charged | null;
}

/** A lease is a fiftieth of the bucket; a thirtieth, which three processes may hold idle of a tenth, if the last was used up quickly. */
const USUAL_PART = 50;
const QUICK_PART = 30;
const QUICK_MS = 1000;
/** After a refusal the database is asked again no sooner, so that a flood of refused calls is none for the database. */
const LEAST_PAUSE_MS = 100;

/**
 * What is left is said again until it has changed by this part of the bucket: a text made for each call, and checked by node, costs
 * more than taking the token. Of buckets of up to a thousand every call hears the exact number.
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

/** The tier has changed: a refusal by the old rate no longer holds, nor does more than the new bucket may lend. */
export function changeRate(share: Share, rate: Rate): void {
  share.rate = rate;
  share.told = null;
  share.refusedUntil = Number.NEGATIVE_INFINITY;
  share.held = Math.min(share.held, partOf(rate, QUICK_PART));
  share.left = Math.min(share.left, rate.burst);
  share.alone = null;
}

/** What to ask the database for; below 0: give back. What is given back is no longer held. */
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

/** True when half of a lease is gone and the next should be fetched before somebody waits for it. */
export const wantsMore = ({ held, chunk, asking }: Share): boolean => asking === null && chunk > 1 && held <= chunk / 2;

/** True when a quarter is gone: a question that others cause anyway fills it up, and it asks none of its own for longer. */
export const wouldRide = ({ held, chunk, asking, rides }: Share): boolean =>
  !rides && asking === null && chunk > 1 && held <= (chunk * 3) / 4;

/** From a bucket of this process's own, as large as the shared one was when the database was last heard. */
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

/** The same object while there is nothing new to say, so that its text is made once. */
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
