import { addressKey, isStaff, type Actor } from '../actor.ts';
import { STAFF_RATE, type Bucket, type OwnRates, type Rate } from './rate.ts';

export interface Limit {
  policy: 'tier' | 'job' | 'address';
  bucket: Bucket;
  rate: Rate;
}

/** Whose bucket a call is taken from: the credential's, or the address's where there is none. */
export function limitOf(actor: Actor, address: string | null, own: OwnRates): Limit {
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
  if (!isStaff(actor)) return { perMinute, burst };
  return { perMinute: Math.max(perMinute, STAFF_RATE.perMinute), burst: Math.max(burst, STAFF_RATE.burst) };
}
