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
  /** One token of that bucket. At once if this process holds some or knows that there is none, else after a look. */
  take: (bucket: Bucket, rate: Rate, time?: number) => Taken | Promise<Taken>;
  /** Buckets remembered at present. */
  size: () => number;
}

/**
 * Of each kind, so that strangers with many addresses push out nobody's credential; some 300 bytes each. Tokens that one held which
 * made room are lost, and refilled like any that are spent.
 */
export const MOST_SHARES = 10_000;
/** What was leased and is not used for so long goes back. */
const IDLE_MS = 5000;
/** Questions in which a caller may go away empty-handed, because newer ones took what came. */
const MOST_TURNS = 16;

/**
 * Spends only what it has leased from the shared buckets in the database, so that any number of processes together give no
 * more than the buckets have. While the database does not answer, each process keeps the same limits on its own: refusing
 * everybody would make one outage two, and what could be gained by it is one more bucket for each process.
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

/** By id within each kind: ids are strings that stay, so that no key is put together and hashed for each call. */
const noShares = (): Record<Bucket['kind'], Cache<string, Share>> => ({
  user: new Cache(MOST_SHARES),
  app: new Cache(MOST_SHARES),
  key: new Cache(MOST_SHARES),
  job: new Cache(MOST_SHARES),
  address: new Cache(MOST_SHARES),
});
