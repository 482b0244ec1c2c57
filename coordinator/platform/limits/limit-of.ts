import { isStaff, type Actor } from '../actor.ts';
import { addressKey } from '../address-key.ts';
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
      return { policy: 'tier', bucket: { kind: 'user', id: actor.userId }, rate: rateOfStanding(actor) };
    case 'application':
      return { policy: 'tier', bucket: { kind: 'app', id: actor.tokenId }, rate: rateOfStanding(actor) };
    case 'api_key':
      return { policy: 'tier', bucket: { kind: 'key', id: actor.apiKeyId }, rate: rateOfStanding(actor) };
    case 'job':
      return { policy: 'job', bucket: { kind: 'job', id: actor.tokenId }, rate: own.job };
    case 'system':
    case 'anonymous':
      return { policy: 'address', bucket: { kind: 'address', id: addressKey(address) }, rate: own.address };
  }
}

function rateOfStanding(actor: Extract<Actor, { standing: unknown }>): Rate {
  const { requests_per_minute: perMinute, burst } = actor.standing.terms;
  if (!isStaff(actor)) return { perMinute, burst };
  return { perMinute: Math.max(perMinute, STAFF_RATE.perMinute), burst: Math.max(burst, STAFF_RATE.burst) };
}
