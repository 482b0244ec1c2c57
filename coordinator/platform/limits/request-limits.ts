import type { Actor } from '../actor.ts';
import type { Platform } from '../context.ts';
import { DomainError } from '../errors.ts';
import { limitOf, type Limit } from './limit-of.ts';
import { exchangeTokens } from './queries.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { Taken } from './share.ts';

/** One call as its bucket saw it. */
export interface Charged {
  /**
   * draft-ietf-httpapi-ratelimit-headers-10, structured fields (RFC 9651): the policy is `q` requests in `w` seconds; `r` of
   * them may be sent at once now, and in `t` seconds the bucket is full.
   */
  headers: { 'RateLimit-Policy': string; RateLimit: string };
  /** `rate_limited` if the bucket was empty */
  refused: DomainError | null;
}

/** Takes a token for a call of that actor, or of that address where there is no credential; null: calls are not limited. */
export type ChargeCall = (actor: Actor, address: string | null) => Charged | Promise<Charged> | null;

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
  return (actor, address) => {
    const { rateLimits } = config;
    if (rateLimits === null) return null;
    const limit = limitOf(actor, address, rateLimits);
    const taken = limiter.take(limit.bucket, limit.rate);
    return taken instanceof Promise ? taken.then((later) => chargedOf(limit, later)) : chargedOf(limit, taken);
  };
}

function chargedOf({ policy, rate }: Limit, taken: Taken): Charged {
  const headers = {
    'RateLimit-Policy': policyText(policy, rate.perMinute),
    RateLimit: `"${policy}";r=${taken.remaining};t=${taken.fullInSeconds}`,
  };
  if (taken.allowed) return { headers, refused: null };
  const { retryAfterSeconds } = taken;
  const again = retryAfterSeconds === 1 ? 'in a second' : `in ${retryAfterSeconds} seconds`;
  const message = `Too many requests: at most ${rate.perMinute} a minute, ${rate.burst} of them at once, ${whose[policy]}. Come again ${again}.`;
  return { headers, refused: new DomainError('rate_limited', message, { retryAfterSeconds }) };
}

/** Rates are few: those of the tiers, of single customers, and ours. */
const MOST_TEXTS = 1000;
const texts = new Map<number, Partial<Record<Limit['policy'], string>>>();

function policyText(policy: Limit['policy'], perMinute: number): string {
  let known = texts.get(perMinute);
  if (known === undefined) {
    if (texts.size >= MOST_TEXTS) texts.clear();
    texts.set(perMinute, (known = {}));
  }
  return (known[policy] ??= `"${policy}";q=${perMinute};w=60`);
}

const whose: Record<Limit['policy'], string> = {
  tier: 'for each user, application token or API key of your tier',
  job: 'for all nodes of a job together',
  address: 'from one address without a credential or with one that is refused',
};
