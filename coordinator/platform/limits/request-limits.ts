import type { Actor } from '../actor.ts';
import type { Platform } from '../context.ts';
import { DomainError } from '../errors.ts';
import { limitOf, type Limit } from './limit-of.ts';
import { exchangeTokens, deleteFullBuckets } from './queries.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { Charged, Taken } from './share.ts';

/** Takes a token for a call of that actor, or of that address where there is no credential; null: calls are not limited. */
export type ChargeCall = (
  actor: Actor,
  address: string | null,
  /** when the call came, by `performance.now()`; absent: now */
  at?: number,
) => Charged | Promise<Charged> | null;

/** The buckets of one app. */
export function requestLimits({ config, sql, log }: Pick<Platform, 'config' | 'sql' | 'log'>): ChargeCall {
  const limiter = createRateLimiter({
    lend: (asks) => exchangeTokens(sql, asks),
    now: () => performance.now(),
    onAlone: (error) =>
      log.warn(
        { err: error },
        'Rate limits: the database does not answer; until it does each process limits by itself.',
      ),
  });
  return (actor, address, at) => {
    const { rateLimits } = config;
    if (rateLimits === null) return null;
    const limit = limitOf(actor, address, rateLimits);
    const taken = limiter.take(limit.bucket, limit.rate, at);
    return taken instanceof Promise ? taken.then((later) => chargedOf(limit, later)) : chargedOf(limit, taken);
  };
}

/** Made once for all calls that hear the same. */
function chargedOf(limit: Limit, taken: Taken): Charged {
  if (taken.charged !== null) return taken.charged;
  const { policy, rate } = limit;
  return (taken.charged = {
    policy: `"${policy}";q=${rate.perMinute};w=60`,
    left: `"${policy}";r=${taken.remaining};t=${taken.fullInSeconds}`,
    refused: taken.allowed ? null : refusalOf(limit, taken),
  });
}

function refusalOf({ policy, rate }: Limit, { retryAfterSeconds }: Taken): DomainError {
  const again = retryAfterSeconds === 1 ? 'in a second' : `in ${retryAfterSeconds} seconds`;
  const message = `Too many requests: at most ${rate.perMinute} a minute, ${rate.burst} of them at once, ${whose[policy]}. Come again ${again}.`;
  return new DomainError('rate_limited', message, { retryAfterSeconds });
}

const whose: Record<Limit['policy'], string> = {
  tier: 'for each user, application token or API key of your tier',
  job: 'for all nodes of a job together',
  address: 'from one address without a credential or with one that is refused',
};

/** The rows of buckets that are full say nothing; of addresses there would soon be very many. Returns how many went. */
export const pruneBuckets = ({ sql }: Pick<Platform, 'sql'>): Promise<number> => deleteFullBuckets(sql);
