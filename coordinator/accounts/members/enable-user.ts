import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../audit/record-event.ts';
import { mayManage, unknownUser } from './rights.ts';
import { findUserByEmail } from '../queries.ts';
import { countRevocation } from '../revocation/queries.ts';
import { setDisabled } from './queries.ts';

/** Lets a disabled user sign in again; sessions from before stay ended. Throws `not_found`, `forbidden`. */
export async function enableUser(context: Context, email: string): Promise<{ email: string; company: string }> {
  return context.sql.begin(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) throw unknownUser(email);
    mayManage(context.actor, user, email);
    await setDisabled(tx, user.id, null);
    await recordEvent(context, tx, { action: 'user_enabled', customerId: user.customer_id, subject: user.email });
    // Running processes forget that the user is disabled.
    await countRevocation(tx);
    return { email: user.email, company: user.company_name };
  });
}
