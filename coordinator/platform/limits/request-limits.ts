import { type Actor, isStaff } from '../actor.ts';
import { addressKey } from '../address-blocks.ts';
import type { Platform } from '../context.ts';
import { DomainError } from '../errors.ts';
import { exchangeTokens } from './queries.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { atLeastOfStaff, type Bucket, type OwnRates, type Rate } from './rate.ts';
import type { Charged, Taken } from './share.ts';

/** Takes a token for a call of the actor, or of the address if there is no credential; null if calls are not limited. */
export type ChargeCall = (
  actor: Actor,
  address: string | null,
  /** arrival of the call by `performance.now()`; absent: now */
  at?: number,
) => Charged | Promise<Charged> | null;

type Parts = Pick<Platform, 'config' | 'sql' | 'log'>;

/** Charges calls of API and portal, and verbs that cost more than one call: they take from the same buckets. */
export function requestLimits(parts: Parts): ChargeCall {
  const limiter = limiterOf(parts);
  return (actor, address, at) => {
    const { rateLimits } = parts.config;
    if (rateLimits === null) return null;
    const limit = limitOf(actor, address, rateLimits);
    const taken = limiter.take(limit.bucket, limit.rate, at);
    return taken instanceof Promise ? taken.then((later) => chargedOf(limit, later)) : chargedOf(limit, taken);
  };
}

/** Takes a token for a call by one signed link from one address; null if calls are not limited. */
export function linkLimits(parts: Parts) {
  const limiter = limiterOf(parts);
  return async (signature: string, address: string | null): Promise<Charged | null> => {
    const { rateLimits } = parts.config;
    if (rateLimits === null) return null;
    const ofLink = limit('link', { kind: 'link', id: `${signature} ${addressKey(address)}` }, rateLimits.link);
    return chargedOf(ofLink, await limiter.take(ofLink.bucket, ofLink.rate));
  };
}

const made = new WeakMap<Platform['config'], ReturnType<typeof createRateLimiter>>();

/** One for each process, by its settings. */
function limiterOf({ config, sql, log }: Parts): ReturnType<typeof createRateLimiter> {
  return made.getOrInsertComputed(config, () =>
    createRateLimiter({
      lend: (asks) => exchangeTokens(sql, asks),
      now: () => performance.now(),
      onAlone: (error) =>
        log.warn(
          { err: error },
          'Rate limits: the database does not answer; until it does each process limits by itself.',
        ),
    }),
  );
}

/** Created once and shared by all calls with the same outcome. */
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
  const message = `Too many requests: at most ${rate.perMinute} a minute, ${rate.burst} of them at once, ${whose[policy]}. Try again ${again}.`;
  return new DomainError('rate_limited', message, { retryAfterSeconds });
}

const whose: Record<Limit['policy'], string> = {
  tier: 'for each user, application token or API key of your tier',
  job: 'for all nodes of a job together',
  link: 'for one link from one address',
  address: 'from one address without a credential or with one that is refused',
};

interface Limit {
  policy: 'tier' | 'job' | 'link' | 'address';
  bucket: Bucket;
  rate: Rate;
}

/** The bucket a call is charged to: the credential's, or the address's if there is no credential. */
function limitOf(actor: Actor, address: string | null, own: OwnRates): Limit {
  switch (actor.kind) {
    case 'user':
      return limit('tier', { kind: 'user', id: actor.userId }, rateOfStanding(actor));
    case 'application':
      return limit('tier', { kind: 'app', id: actor.tokenId }, rateOfStanding(actor));
    case 'api_key':
      return limit('tier', { kind: 'key', id: actor.apiKeyId }, rateOfStanding(actor));
    case 'job':
      return limit('job', { kind: 'job', id: actor.tokenId }, own.job);
    case 'system':
    case 'anonymous':
      return limit('address', { kind: 'address', id: addressKey(address) }, own.address);
  }
}

const limit = (policy: Limit['policy'], bucket: Bucket, rate: Rate): Limit => ({ policy, bucket, rate });

function rateOfStanding(actor: Extract<Actor, { standing: unknown }>): Rate {
  const { requests_per_minute: perMinute, burst } = actor.standing.terms;
  return isStaff(actor) ? atLeastOfStaff({ perMinute, burst }) : { perMinute, burst };
}
