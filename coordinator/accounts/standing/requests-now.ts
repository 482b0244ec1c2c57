import { isStaffRole } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { atLeastOfStaff } from '../../platform/limits/rate.ts';
import { customerActor } from './customer-actor.ts';
import { selectBuckets, type BucketRow } from './queries.ts';

/** How much of its bucket one person or credential has taken. */
export interface RequestsNow extends Pick<BucketRow, 'kind' | 'id' | 'name' | 'detail'> {
  /** tokens missing in the shared bucket, unspent leases of processes included; how many those are: `platform/limits` */
  taken: number;
  burst: number;
  /** until the bucket is full again, if nobody calls */
  freeInSeconds: number;
}

/**
 * Usage of the caller, or for those who manage the company of all its people, API keys and application tokens, the highest usage
 * first. As in the list of applications, application tokens need an active subscription. Null if the coordinator limits nothing.
 */
export async function listRequestsNow(context: Context): Promise<RequestsNow[] | null> {
  const { sql, now, actor, config } = context;
  if (actor.kind !== 'user') throw new Error(`a caller of kind ${actor.kind} has no page of its limits`);
  if (config.rateLimits === null) return null;
  const { customerId, standing } = customerActor(actor);
  const userId = actor.role === 'user' ? actor.userId : null;
  const rows = await selectBuckets(sql, { customerId, userId, hasTokens: standing.subscribed, now: now() });
  const usual = { perMinute: standing.terms.requests_per_minute, burst: standing.terms.burst };
  return rows
    .map(({ kind, id, name, detail, role, tokens, seconds }) => {
      const { perMinute, burst } = role !== null && isStaffRole(role) ? atLeastOfStaff(usual) : usual;
      const left = tokens === null ? burst : Math.min(burst, tokens + ((seconds ?? 0) * perMinute) / 60);
      const freeInSeconds = Math.ceil(((burst - left) * 60) / perMinute);
      return { kind, id, name, detail, taken: burst - Math.floor(left), burst, freeInSeconds };
    })
    .toSorted(
      (one, other) =>
        other.taken / other.burst - one.taken / one.burst ||
        one.kind.localeCompare(other.kind) ||
        one.name.localeCompare(other.name) ||
        one.detail.localeCompare(other.detail),
    );
}
