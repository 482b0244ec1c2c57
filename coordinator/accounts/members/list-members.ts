import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { MOST_MEMBERS } from './add-member.ts';
import { selectMembers, type Member } from './queries.ts';

/** The people of the caller's own company. Throws `forbidden` for who does not manage them. */
export async function listMembers(context: Context): Promise<Member[]> {
  const { actor } = context;
  if (actor.kind !== 'user' || actor.role === 'user')
    throw new DomainError('forbidden', 'People are listed for customer_admin and staff.');
  return selectMembers(context.sql, actor.customerId, MOST_MEMBERS);
}
