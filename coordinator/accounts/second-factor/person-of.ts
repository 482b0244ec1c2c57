import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { findUser, type UserRow } from '../queries.ts';
import { readTicket } from './sign-in-ticket.ts';
import { countRecoveryCodes, findFactor } from './queries.ts';

/**
 * The person whose factor it is: the one signed in, or the one named by the ticket, who gave the password and must set up a
 * factor before anything else. Throws `unauthenticated`, `forbidden`.
 */
export async function personOf(context: Context, ticket: string | null): Promise<UserRow> {
  if (ticket !== null) return readTicket(context, ticket);
  const { actor } = context;
  const user = actor.kind === 'user' ? await findUser(context.sql, actor.userId) : null;
  if (!user) throw new DomainError('forbidden', 'Only people have a second factor.');
  return user;
}

/** What people see of their own factor; `since` is null if none is enrolled. */
export async function readFactorState(
  context: Context,
): Promise<{ since: Date | null; recoveryCodesLeft: number; isRequired: boolean }> {
  const user = await personOf(context, null);
  const factor = await findFactor(context.sql, user.id);
  return {
    since: factor?.enrolled_at ?? null,
    recoveryCodesLeft: await countRecoveryCodes(context.sql, user.id),
    isRequired: user.requires_second_factor,
  };
}
