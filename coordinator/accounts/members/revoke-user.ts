import type { AuditAction } from '../../contract/audit.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { DomainError } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { keepLastAdmin, mayManage, unknownUser } from './rights.ts';
import { endOfGenerated } from '../generated-password.ts';
import { hashPassword } from '../password.ts';
import { setPasswordHash, voidLinks } from '../passwords/queries.ts';
import { refuseWeakPassword } from '../passwords/refuse-weak-password.ts';
import { revokeTokensOfOwner } from '../applications/queries.ts';
import { findUserByEmail, lockAccounts, type UserRow } from '../queries.ts';
import { deletePlaces } from '../throttle/queries.ts';
import { countRevocation, endSessionsOf } from '../revocation/queries.ts';
import { setDisabled } from './queries.ts';

type UserChange =
  /** cannot sign in until enabled */
  | { kind: 'disable' }
  /** by the operator only */
  | { kind: 'password'; password: string; isGenerated: boolean }
  /** signs in again with the same password */
  | { kind: 'end_sessions' };

const actions: Record<UserChange['kind'], AuditAction> = {
  disable: 'user_disabled',
  password: 'password_changed',
  end_sessions: 'sessions_ended',
};

/**
 * Takes access away from the user with that address. Each change ends all sessions, forgets the known devices and networks of the
 * user, voids the password links and notifies the serving processes. Jobs belong to the company and continue; tokens of the applications of a disabled user end. Throws `not_found`,
 * `forbidden`, and `state` for the last administrator.
 */
export async function revokeUser(context: Context, { email, change }: { email: string; change: UserChange }) {
  const hash = change.kind === 'password' ? await hashOf(context, email, change.password) : null;
  return context.sql.begin(async (tx) => {
    // If two administrators disable each other at the same time, one remains.
    await lockAccounts(tx);
    const user = await findUserByEmail(tx, email);
    if (!user) throw unknownUser(email);
    mayManage(context.actor, user, email);
    const now = context.now();
    if (change.kind === 'password' && hash !== null)
      await setPasswordHash(tx, user.id, hash, change.isGenerated ? endOfGenerated(now) : null);
    if (change.kind === 'disable') {
      await keepLastAdmin(tx, context.actor, user);
      await setDisabled(tx, user.id, user.disabled_at ?? now);
      await endTokensOf(context, tx, user);
    }
    await voidLinks(tx, user.id, now);
    await endSessionsOf(tx, user.id, now);
    await deletePlaces(tx, { userId: user.id });
    const event = { action: actions[change.kind], customerId: user.customer_id, subject: user.email };
    await recordEvent(context, tx, event);
    await countRevocation(tx);
    return { email: user.email, company: user.company_name };
  });
}

/** An administrator who wants to keep them takes the applications over first. */
async function endTokensOf(context: Context, tx: Queryable, user: Pick<UserRow, 'id' | 'customer_id'>): Promise<void> {
  for (const { id, name, prefixes } of await revokeTokensOfOwner(tx, user.id, context.now())) {
    const detail = { application_id: id, token_prefixes: prefixes, reason: 'the owner was disabled' };
    await recordEvent(context, tx, {
      action: 'app_token_revoked',
      customerId: user.customer_id,
      subject: name,
      detail,
    });
  }
}

/** Outside the transaction: 50 ms of hashing must hold no lock. */
async function hashOf(context: Context, email: string, password: string): Promise<string> {
  if (context.actor.kind !== 'system')
    throw new DomainError('forbidden', 'Only the operator sets the password of others; ask for a password link.');
  const user = await findUserByEmail(context.sql, email);
  if (!user) throw unknownUser(email);
  await refuseWeakPassword('password', password, { email: user.email, company: user.company_name });
  return hashPassword(password, context.randomBytes);
}
