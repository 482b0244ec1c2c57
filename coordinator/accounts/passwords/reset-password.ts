import type { Context } from '../../platform/context.ts';
import { invalidField, type DomainError } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { hashPassword } from '../password.ts';
import { readToken } from '../programs/opaque-token.ts';
import { findUser } from '../queries.ts';
import { countRevocation, endSessionsOf } from '../revocation/queries.ts';
import { deletePlaces } from '../throttle/queries.ts';
import { queueHashing } from '../throttle/hashing-queue.ts';
import { findLinkUser, setPasswordHash, useLink, voidLinks } from './queries.ts';
import { refuseWeakPassword } from './refuse-weak-password.ts';

/**
 * Sets the password by a link, which works once and voids all other links of its user; all sessions end, and known devices and
 * networks are forgotten. Throws a validation error of `token`, or of `password`, which leaves the link as it was.
 */
export async function resetPassword(
  context: Context,
  { token, password }: { token: string; password: string },
): Promise<Record<string, never>> {
  const hash = readToken('password_link', token);
  if (hash === null) throw invalidField('token', 'is not complete: its check digits are wrong. Paste all of the link.');
  const userId = await findLinkUser(context.sql, hash, context.now());
  const user = userId === null ? null : await findUser(context.sql, userId);
  if (!user) throw notGood();
  const { email, company_name: company, customer_id: customerId } = user;
  await refuseWeakPassword('password', password, { email, company });
  const line = { known: true, line: `account:${email}` };
  const passwordHash = await queueHashing(line, () => hashPassword(password, context.randomBytes));
  await context.sql.begin(async (tx) => {
    const now = context.now();
    if (!(await useLink(tx, hash, now))) throw notGood();
    await voidLinks(tx, user.id, now);
    await setPasswordHash(tx, user.id, passwordHash);
    await endSessionsOf(tx, user.id, now);
    await deletePlaces(tx, { userId: user.id });
    await recordEvent(context, tx, { action: 'password_set_by_link', customerId, userId: user.id, subject: email });
    await countRevocation(tx);
  });
  return {};
}

/** The same for an unknown, used or expired link and for one of a disabled user. */
const notGood = (): DomainError => invalidField('token', 'is unknown, used or expired. Ask for a new link.');
