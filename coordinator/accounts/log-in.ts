import type { LoginData } from '../contract/user.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { issueLoginTokens } from './login-tokens.ts';
import { unmatchableHash, verifyPassword } from './password.ts';
import { findUserByEmail } from './queries.ts';
import { forgiveLogin, throttleLogin } from './throttle/throttle-login.ts';

/**
 * E-mail and password -> tokens. Unknown address, wrong password and disabled user take the same time and get the same
 * answer. Throws `unauthenticated`, or `rate_limited` after too many failures of the account or the network.
 */
export async function logIn(context: Context, input: { email: string; password: string }): Promise<LoginData> {
  await throttleLogin(context, input.email);
  const user = await findUserByEmail(context.sql, input.email);
  const hash = user?.password_hash ?? unmatchableHash(context.randomBytes);
  const matches = await verifyPassword(input.password, hash);
  if (!user || !matches || user.disabled_at) {
    throw new DomainError('unauthenticated', 'The e-mail address or the password is wrong.');
  }
  await forgiveLogin(context, input.email);
  context.note({ user_id: user.id, customer_id: user.customer_id });
  return issueLoginTokens(context, user);
}
