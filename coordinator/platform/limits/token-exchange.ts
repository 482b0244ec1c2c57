import type { Answer, Ask } from './queries.ts';
import { acceptAnswer, nextWanted, wouldRide, type Share } from './share.ts';

interface Parts {
  lend: (asks: readonly Ask[]) => Promise<readonly Answer[]>;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** Called when the database stops answering, and not again until it has answered. */
  onAlone: (error: unknown) => void;
}

interface TokenExchange {
  /** Requests tokens. Resolves when the database has answered or failed. All callers of a share wait for the same request. */
  ask: (share: Share) => Promise<void>;
  /** The same for later use, without waiting: requests within GATHER_MS are sent in one statement. */
  askAhead: (share: Share) => void;
  /** The same, but only with the next request that another share causes: a statement costs far more than one of its rows. */
  goAlong: (share: Share) => void;
  /** True while the database does not answer. */
  isAlone: (time: number) => boolean;
}

/** Maximum number of buckets per statement. */
const MOST_ASKS = 256;
/** Longest time that a caller waits for a lease. */
const PATIENCE_MS = 1000;
/**
 * Pause that gathers requests: shorter than half a lease lasts at four thousand calls a second with a burst of ten thousand. A
 * statement costs far more than taking a token, so there should be few.
 */
const GATHER_MS = 25;
/** How long the database is not asked again after a failure. */
const ALONE_MS = 5000;

/** Sends requests to the database, one statement at a time: those that arrive meanwhile are sent together in the next. */
export function tokenExchange({ lend, now, onAlone }: Parts): TokenExchange {
  let queue: Share[] = [];
  const riders = shareRides();
  let isBusy = false;
  let gathering: NodeJS.Timeout | undefined;
  let isOverdue = false;
  let hasFailed = false;
  let aloneUntil = Number.NEGATIVE_INFINITY;
  const goAlone = (error: unknown): void => {
    aloneUntil = now() + ALONE_MS;
    if (!hasFailed) onAlone(error);
    hasFailed = true;
    const inLine = queue;
    queue = [];
    settle(inLine);
  };
  const exchange = async (batch: readonly Share[]): Promise<void> => {
    const asks = batch.map((share) => ({ key: share.key, ...share.rate, wanted: nextWanted(share, now()) }));
    const giveUp = setTimeout(() => {
      isOverdue = true;
      settle(batch);
      goAlone(new Error(`no answer within ${PATIENCE_MS} ms`));
    }, PATIENCE_MS);
    try {
      const answers = new Map((await lend(asks)).map((answer) => [answer.key, answer]));
      for (const [index, share] of batch.entries()) {
        const answer = answers.get(share.key);
        if (answer) acceptAnswer(share, { ...answer, wanted: asks[index]?.wanted ?? 0 }, now());
      }
      aloneUntil = Number.NEGATIVE_INFINITY;
      hasFailed = false;
    } catch (error) {
      goAlone(error);
    } finally {
      clearTimeout(giveUp);
      isOverdue = false;
      settle(batch);
    }
  };
  const work = async (): Promise<void> => {
    clearTimeout(gathering);
    gathering = undefined;
    if (isBusy) return;
    isBusy = true;
    while (queue.length > 0) {
      riders.take().forEach(enter);
      const batch = nextBatch(queue);
      queue = queue.filter((share) => !batch.has(share));
      await exchange([...batch]);
    }
    isBusy = false;
  };
  const enter = (share: Share): PromiseWithResolvers<void> => {
    if (!share.asking) queue.push(share);
    return (share.asking ??= Promise.withResolvers<void>());
  };
  return {
    ask: (share) => {
      const { promise } = enter(share);
      if (!isBusy) void work();
      return promise;
    },
    askAhead: (share) => {
      enter(share);
      if (!isBusy) gathering ??= setTimeout(() => void work(), GATHER_MS).unref();
    },
    goAlong: riders.add,
    isAlone: (time) => isOverdue || time < aloneUntil,
  };
}

function shareRides() {
  let waiting: Share[] = [];
  return {
    add: (share: Share): void => {
      if (waiting.length >= MOST_ASKS) return;
      share.rides = true;
      waiting.push(share);
    },
    /** Shares that still need tokens: one that its own request has refilled since is left out. */
    take: (): Share[] => {
      const going = waiting;
      waiting = [];
      for (const share of going) share.rides = false;
      return going.filter(wouldRide);
    },
  };
}

/** A bucket whose share was evicted and created again can be queued twice; a statement takes each bucket once. */
function nextBatch(queue: readonly Share[]): Set<Share> {
  const batch = new Map<string, Share>();
  for (const share of queue) if (batch.size < MOST_ASKS && !batch.has(share.key)) batch.set(share.key, share);
  return new Set(batch.values());
}

function settle(shares: readonly Share[]): void {
  for (const share of shares) {
    share.asking?.resolve();
    share.asking = null;
  }
}
