import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { findUser, lockAccounts } from '../queries.ts';
import { countRevocation, endSessionsOf } from '../revocation/queries.ts';
import { selectUsersWithoutFactor, setFactorRule } from './queries.ts';

/**
 * Whether everybody of the caller's company has to have a second factor. Once it is required, the sessions of people without one
 * end, and after the password they set one up before anything else. Throws `forbidden`, and `state` if the caller has none, whose
 * own session would end.
 */
export async function requireFactor(context: Context, isRequired: boolean): Promise<void> {
  const { actor } = context;
  if (actor.kind !== 'user' || actor.role === 'user')
    throw new DomainError('forbidden', 'What a company requires is set by customer_admin and staff.');
  const { customerId, userId } = actor;
  await context.sql.begin(async (tx) => {
    await lockAccounts(tx);
    const user = await findUser(tx, userId);
    if (isRequired && user?.has_second_factor !== true)
      throw new DomainError('state', 'Set up a second factor of your own first, under Account.');
    await setFactorRule(tx, customerId, isRequired);
    if (isRequired)
      for (const id of await selectUsersWithoutFactor(tx, customerId)) await endSessionsOf(tx, id, context.now());
    const subject = user?.company_name ?? customerId;
    const detail = { require_second_factor: isRequired };
    await recordEvent(context, tx, { action: 'second_factor_rule_changed', customerId, subject, detail });
    await countRevocation(tx);
  });
}
