import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { hashPassword } from '../password.ts';
import { findUserByEmail } from '../queries.ts';
import { deletePlaces } from '../throttle/queries.ts';
import { countRevocation, endSessionsOf, setDisabled, setPasswordHash } from './queries.ts';

export type UserChange =
  /** signs in no more until enabled */
  | { kind: 'disable' }
  | { kind: 'password'; password: string }
  /** signs in again with the same password */
  | { kind: 'end_sessions' };

/**
 * Takes something from the user of that address; each ends all sessions, forgets the devices and networks it is known by,
 * and tells the processes that serve. Jobs belong to the company and go on. Throws `not_found`.
 */
export async function revokeUser(context: Context, { email, change }: { email: string; change: UserChange }) {
  // Outside the transaction: 50 ms of hashing must hold no lock.
  const hash = change.kind === 'password' ? await hashPassword(change.password, context.randomBytes) : null;
  return context.sql.begin(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) throw notFound(`A user with the e-mail address ${email}`);
    if (hash !== null) await setPasswordHash(tx, user.id, hash);
    if (change.kind === 'disable') await setDisabled(tx, user.id, user.disabled_at ?? context.now());
    await endSessionsOf(tx, user.id);
    await deletePlaces(tx, { userId: user.id });
    await countRevocation(tx);
    return { email: user.email, company: user.company_name };
  });
}
