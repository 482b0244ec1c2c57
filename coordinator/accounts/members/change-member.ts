import type { Role } from '../../contract/user.ts';
import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../audit/record-event.ts';
import { findUserByEmail, lockAccounts } from '../queries.ts';
import { countRevocation } from '../revocation/queries.ts';
import { setRole, setDisabled } from './queries.ts';
import { keepLastAdmin, mayGive, mayManage, unknownUser } from './rights.ts';

/**
 * Changes the role of the user with that address; sessions continue with the new role. Throws `not_found`, `forbidden`, and
 * `state` for the last administrator.
 */
export async function changeRole(
  context: Context,
  { email, role }: { email: string; role: Role },
): Promise<{ email: string; company: string }> {
  return context.sql.begin(async (tx) => {
    await lockAccounts(tx);
    const user = await findUserByEmail(tx, email);
    if (!user) throw unknownUser(email);
    mayManage(context.actor, user, email);
    mayGive(context.actor, role);
    const changed = { email: user.email, company: user.company_name };
    if (user.role === role) return changed;
    await keepLastAdmin(tx, context.actor, user);
    await setRole(tx, user.id, role);
    const whose = { customerId: user.customer_id, subject: user.email };
    await recordEvent(context, tx, { ...whose, action: 'role_changed', detail: { from: user.role, to: role } });
    await countRevocation(tx);
    return changed;
  });
}

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
