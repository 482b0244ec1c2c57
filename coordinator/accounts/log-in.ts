import type { LoginData } from '../contract/user.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { recordEvent } from './audit/record-event.ts';
import { checkPassword } from './check-password.ts';
import { deviceCookie } from './device-cookie.ts';
import { issueLoginTokens } from './login-tokens.ts';
import { replaceHash } from './passwords/queries.ts';
import { beginSession } from './sessions/begin-session.ts';
import { forgiveLogin } from './throttle/throttle-login.ts';

interface Input {
  email: string;
  password: string;
  /** The `Cookie` header. */
  cookie?: string | undefined;
}

/**
 * E-mail and password -> the tokens of a new session, and the cookie by which the device is known next time. Unknown address,
 * wrong password and disabled user take the same time, count the same and get the same answer. Throws `unauthenticated`,
 * `rate_limited` in the pause after failures, `unavailable` if too many wait for their turn.
 */
export async function logIn(context: Context, input: Input): Promise<{ tokens: LoginData; setCookie: string }> {
  const refusal = new DomainError('unauthenticated', 'The e-mail address or the password is wrong.');
  const { user, visitor, counted, renewedHash } = await checkPassword(context, { ...input, refusal });
  const session = await context.sql.begin(async (tx) => {
    await forgiveLogin(context, tx, { visitor, counted, userId: user.id });
    if (renewedHash !== null) await replaceHash(tx, user, renewedHash);
    const begun = await beginSession(context, tx, user.id);
    const { id: userId, customer_id: customerId, email: subject } = user;
    await recordEvent(context, tx, { action: 'sign_in', customerId, userId, subject });
    return begun;
  });
  context.note({ user_id: user.id, customer_id: user.customer_id });
  return {
    tokens: await issueLoginTokens(context, user, session),
    setCookie: await deviceCookie(context, user, visitor.deviceId),
  };
}
