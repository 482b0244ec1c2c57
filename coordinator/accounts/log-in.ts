import type { LoginData } from '../contract/user.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { deviceCookie } from './device-cookie.ts';
import { issueLoginTokens } from './login-tokens.ts';
import { unmatchableHash, verifyPassword } from './password.ts';
import { findUserByEmail } from './queries.ts';
import { inTurn } from './throttle/password-turns.ts';
import { countLogin, forgiveLogin, refuseInPause } from './throttle/throttle-login.ts';
import { recogniseVisitor } from './throttle/visitor.ts';

interface Input {
  email: string;
  password: string;
  /** The `Cookie` header. */
  cookie?: string | undefined;
}

/**
 * E-mail and password -> tokens, and the cookie by which the device is known next time. Unknown address, wrong password and
 * disabled user take the same time, count the same and get the same answer. Throws `unauthenticated`, `rate_limited` in
 * the pause after failures, `unavailable` if too many wait for their turn.
 */
export async function logIn(context: Context, input: Input): Promise<{ tokens: LoginData; setCookie: string }> {
  const { email, cookie } = input;
  const user = await findUserByEmail(context.sql, email);
  const visitor = await recogniseVisitor(context, { email, user, cookie });
  await refuseInPause(context, visitor);
  const hash = user?.password_hash ?? unmatchableHash(context.randomBytes);
  const { counted, matches } = await inTurn(visitor, async () => ({
    counted: await countLogin(context, visitor),
    matches: await verifyPassword(input.password, hash),
  }));
  if (!user || !matches || user.disabled_at) {
    throw new DomainError('unauthenticated', 'The e-mail address or the password is wrong.');
  }
  await forgiveLogin(context, { visitor, counted, userId: user.id });
  context.note({ user_id: user.id, customer_id: user.customer_id });
  return {
    tokens: await issueLoginTokens(context, user),
    setCookie: await deviceCookie(context, user, visitor.deviceId),
  };
}
