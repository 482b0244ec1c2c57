import { Cache } from '../cache.ts';
import type { Answer, Ask } from './queries.ts';
import type { Bucket, Rate } from './rate.ts';
import {
  changeRate,
  newShare,
  refuse,
  takeAlone,
  takeHeld,
  wantsMore,
  wouldRide,
  type Share,
  type Taken,
} from './share.ts';
import { tokenExchange } from './token-exchange.ts';

interface Parts {
  lend: (asks: readonly Ask[]) => Promise<readonly Answer[]>;
  now: () => number;
  onAlone: (error: unknown) => void;
}

interface RateLimiter {
  /** Takes one token. Synchronous if this process holds some or knows that there are none, else after asking the database. */
  take: (bucket: Bucket, rate: Rate, time?: number) => Taken | Promise<Taken>;
  /** Number of buckets in memory. */
  size: () => number;
}

/**
 * Maximum number of shares, per kind so that strangers with many addresses cannot evict credentials; about 300 bytes each.
 * Tokens of an evicted share are lost, and refilled like spent ones.
 */
export const MOST_SHARES = 10_000;
/** Leased tokens of a share unused for this long are returned. */
const IDLE_MS = 5000;
/** Maximum number of leases that a caller waits for while other callers take the tokens. */
const MOST_TURNS = 16;

/**
 * Spends only tokens leased from the shared buckets in the database, so that any number of processes together never spend more
 * than the buckets have. While the database does not answer, each process enforces the same limits on its own: refusing
 * everybody would turn one outage into two, and an attacker gains at most one more bucket per process.
 */
export function createRateLimiter(parts: Parts): RateLimiter {
  const { now } = parts;
  const exchange = tokenExchange(parts);
  const kinds = noShares();
  const shareOf = ({ kind, id }: Bucket, rate: Rate, time: number): Share => {
    const known = kinds[kind].get(id);
    if (known !== undefined) return known;
    const share = newShare(`${kind}:${id}`, rate, time);
    kinds[kind].set(id, share);
    return share;
  };
  const takeNow = (share: Share, time: number): Taken | null => {
    if (share.held >= 1) {
      const taken = takeHeld(share, time);
      if (time < share.refusedUntil) return taken;
      if (!wantsMore(share)) {
        if (wouldRide(share)) exchange.goAlong(share);
      } else if (!exchange.isAlone(time)) exchange.askAhead(share);
      return taken;
    }
    if (exchange.isAlone(time)) return takeAlone(share, time);
    return time < share.refusedUntil ? refuse(share, time) : null;
  };
  const takeLater = async (share: Share): Promise<Taken> => {
    share.waiting += 1;
    try {
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        await exchange.ask(share);
        const taken = takeNow(share, now());
        if (taken) return taken;
      }
      return refuse(share, now());
    } finally {
      share.waiting -= 1;
    }
  };
  const sweep = (): void => {
    const time = now();
    let someHeld = false;
    for (const share of Object.values(kinds).flatMap((shares) => [...shares.values()])) {
      if (share.held < 1) continue;
      someHeld = true;
      share.isIdle = time - share.usedAt >= IDLE_MS;
      if (share.isIdle && !exchange.isAlone(time)) void exchange.ask(share);
    }
    if (someHeld) return;
    clearInterval(sweeping);
    sweeping = undefined;
  };
  let sweeping: NodeJS.Timeout | undefined;
  return {
    take: (bucket, rate, time = now()) => {
      const share = shareOf(bucket, rate, time);
      share.usedAt = time;
      share.isIdle = false;
      if (share.rate.perMinute !== rate.perMinute || share.rate.burst !== rate.burst) changeRate(share, rate);
      sweeping ??= setInterval(sweep, IDLE_MS).unref();
      return takeNow(share, time) ?? takeLater(share);
    },
    size: () => Object.values(kinds).reduce((sum, shares) => sum + shares.size, 0),
  };
}

/** By id within each kind: ids are existing strings, so no key is concatenated and hashed for each call. */
const noShares = (): Record<Bucket['kind'], Cache<string, Share>> => ({
  user: new Cache(MOST_SHARES),
  app: new Cache(MOST_SHARES),
  key: new Cache(MOST_SHARES),
  job: new Cache(MOST_SHARES),
  address: new Cache(MOST_SHARES),
  link: new Cache(MOST_SHARES),
});
