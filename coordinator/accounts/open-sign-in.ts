import type { LoginData } from '../contract/user.ts';
import type { Context } from '../platform/context.ts';
import type { Queryable } from '../platform/db/client.ts';
import { DomainError } from '../platform/errors.ts';
import { recordEvent } from './audit/record-event.ts';
import { deviceCookie } from './device-cookie.ts';
import { issueLoginTokens } from './login-tokens.ts';
import { holdUser, type UserRow } from './queries.ts';
import { beginSession } from './sessions/begin-session.ts';
import type { Visitor } from './throttle/visitor.ts';

export interface SignedIn {
  tokens: LoginData;
  setCookie: string;
}

/**
 * Begins the session of a person who has passed all checks, in the transaction of the last one; the returned function makes the
 * tokens after it. Throws `unauthenticated` if all sessions of the user were ended (by another password, a second factor) between
 * the check and this call.
 */
export async function openSignIn(
  context: Context,
  tx: Queryable,
  user: UserRow,
): Promise<(visitor: Pick<Visitor, 'deviceId'>) => Promise<SignedIn>> {
  if (!(await holdUser(tx, user))) throw signInAgain();
  const session = await beginSession(context, tx, user.id);
  const { id: userId, customer_id: customerId, email: subject } = user;
  await recordEvent(context, tx, { action: 'sign_in', customerId, userId, subject });
  return async ({ deviceId }) => {
    context.note({ user_id: userId, customer_id: customerId });
    return {
      tokens: await issueLoginTokens(context, user, session),
      setCookie: await deviceCookie(context, user, deviceId),
    };
  };
}

const signInAgain = (): DomainError =>
  new DomainError('unauthenticated', 'The account was changed while you signed in. Sign in again.');
