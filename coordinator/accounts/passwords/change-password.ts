import type { LoginData } from '../../contract/user.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError, invalidField } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { checkPassword } from '../check-password.ts';
import { deviceCookie } from '../device-cookie.ts';
import { issueLoginTokens } from '../login-tokens.ts';
import { hashPassword } from '../password.ts';
import { findUser } from '../queries.ts';
import { countRevocation, endSessionsOf } from '../revocation/queries.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { deletePlaces } from '../throttle/queries.ts';
import { queueHashing } from '../throttle/hashing-queue.ts';
import { forgiveLogin } from '../throttle/throttle-login.ts';
import { setPasswordHash, voidLinks } from './queries.ts';
import { refuseWeakPassword } from './refuse-weak-password.ts';

/**
 * Changes the signed-in person's own password. All sessions end, known devices and networks are forgotten, and the caller
 * continues in a new session. A wrong `current` counts like a failed sign-in: a stolen token does not help to guess it.
 */
export async function changePassword(
  context: Context,
  { current, next }: { current: string; next: string },
): Promise<{ tokens: LoginData; setCookie: string }> {
  const caller = context.actor.kind === 'user' ? await findUser(context.sql, context.actor.userId) : null;
  if (!caller) throw new DomainError('forbidden', 'Only people have passwords.');
  const { email, company_name: company, id: userId } = caller;
  await refuseWeakPassword('new_password', next, { email, company });
  const refusal = invalidField('current_password', 'is wrong');
  const { visitor, counted } = await checkPassword(context, { email, password: current, refusal });
  const hash = await queueHashing(visitor, () => hashPassword(next, context.randomBytes));
  const session = await context.sql.begin(async (tx) => {
    const now = context.now();
    await deletePlaces(tx, { userId });
    await forgiveLogin(context, tx, { visitor, counted, userId });
    await setPasswordHash(tx, userId, hash);
    await voidLinks(tx, userId, now);
    await endSessionsOf(tx, userId, now);
    await recordEvent(context, tx, { action: 'password_changed', customerId: caller.customer_id, subject: email });
    await countRevocation(tx);
    const begun = await beginSession(context, tx, userId);
    return { begun, user: (await findUser(tx, userId)) ?? caller };
  });
  return {
    tokens: await issueLoginTokens(context, session.user, session.begun),
    setCookie: await deviceCookie(context, session.user, null),
  };
}
