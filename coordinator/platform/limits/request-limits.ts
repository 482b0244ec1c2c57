import type { Actor } from '../actor.ts';
import type { Platform } from '../context.ts';
import { DomainError } from '../errors.ts';
import { limitOf, type Limit } from './limit-of.ts';
import { exchangeTokens, deleteFullBuckets } from './queries.ts';
import type { OwnRates } from './rate.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { Taken } from './share.ts';

/** One call as its bucket saw it. */
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
    const limit = 'standing' in actor ? ofActor(actor, rateLimits) : limitOf(actor, address, rateLimits);
    const taken = limiter.take(limit.bucket, limit.rate, at);
    return taken instanceof Promise ? taken.then((later) => chargedOf(limit, later)) : chargedOf(limit, taken);
  };
}

/** With what was said of the last call: of a large bucket the next hears the same. */
interface KnownLimit extends Limit {
  last?: { taken: Taken; charged: Charged };
}

/** Who calls again and again is the same object for a second; whose bucket it is does not depend on the address. */
const known = new WeakMap<Actor, KnownLimit>();

function ofActor(actor: Actor, own: OwnRates): KnownLimit {
  let limit = known.get(actor);
  if (limit === undefined) known.set(actor, (limit = limitOf(actor, null, own)));
  return limit;
}

function chargedOf(limit: KnownLimit, taken: Taken): Charged {
  if (limit.last?.taken === taken) return limit.last.charged;
  const { policy, policyText } = limit;
  const left = `"${policy}";r=${taken.remaining};t=${taken.fullInSeconds}`;
  const charged = { policy: policyText, left, refused: taken.allowed ? null : refusalOf(limit, taken) };
  limit.last = { taken, charged };
  return charged;
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
