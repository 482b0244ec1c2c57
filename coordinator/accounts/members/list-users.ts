import type { Context } from '../../platform/context.ts';
import { selectUsers, type ListedUser, selectMembers, type Member } from './queries.ts';
import { DomainError } from '../../platform/errors.ts';
import { MOST_MEMBERS } from './add-member.ts';
import { requireStaff } from '../../platform/actor.ts';

/** More than one table in a terminal will have. */
const MOST_USERS = 10_000;

/** Everybody who has an account, by company; `more` if the list was cut. Throws `forbidden` for others than staff. */
export async function listUsers(context: Context): Promise<{ users: ListedUser[]; more: boolean }> {
  requireStaff(context.actor);
  const users = await selectUsers(context.sql, context.now(), MOST_USERS + 1);
  return { users: users.slice(0, MOST_USERS), more: users.length > MOST_USERS };
}

/** The people of the caller's own company. Throws `forbidden` for a caller who does not manage them. */
export async function listMembers(context: Context): Promise<Member[]> {
  const { actor } = context;
  if (actor.kind !== 'user' || actor.role === 'user')
    throw new DomainError('forbidden', 'People are listed for customer_admin and staff.');
  return selectMembers(context.sql, actor.customerId, MOST_MEMBERS);
}
