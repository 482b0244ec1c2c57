import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { mayManage, unknownUser } from '../members/rights.ts';
import { findUserByEmail } from '../queries.ts';
import { countRevocation, endSessionsOf } from '../revocation/queries.ts';
import { deleteFactor } from './queries.ts';

/**
 * The factor of a person who has lost the app and the recovery codes, by the operator or an administrator. All sessions of the
 * person end. Throws `not_found`, `forbidden`, also for the caller's own, which takes a code; `state` if there is none.
 */
export async function removeFactorOf(context: Context, email: string): Promise<{ email: string; company: string }> {
  return context.sql.begin(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) throw unknownUser(email);
    const { actor } = context;
    mayManage(actor, user, email);
    if (actor.kind === 'user' && actor.userId === user.id)
      throw new DomainError('forbidden', 'Your own second factor is removed under Account, with a code of it.');
    if (!(await deleteFactor(tx, user.id))) throw new DomainError('state', `${user.email} has no second factor.`);
    await endSessionsOf(tx, user.id, context.now());
    const whose = { customerId: user.customer_id, subject: user.email };
    await recordEvent(context, tx, { ...whose, action: 'second_factor_removed', detail: { by: 'an administrator' } });
    await countRevocation(tx);
    return { email: user.email, company: user.company_name };
  });
}
