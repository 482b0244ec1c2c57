import { visibleCustomer, type Actor } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { distinctTags } from './queries.ts';

/** Most tags in one answer; beyond it the alphabet's first are shown. */
const MOST_TAGS = 10_000;

/**
 * Unique tags in order: a user's own jobs; all jobs of the customer for its admins and its programs; all jobs for staff.
 */
export async function jobTags(context: Context): Promise<{ tags: string[] }> {
  const customerId = visibleCustomer(context.actor);
  return { tags: await distinctTags(context.sql, { customerId, createdBy: onlyOwn(context.actor), limit: MOST_TAGS }) };
}

const onlyOwn = (actor: Actor): string | null => (actor.kind === 'user' && actor.role === 'user' ? actor.userId : null);
