import type { LoginData } from '../contract/user.ts';
import type { Context } from '../platform/context.ts';
import type { Queryable } from '../platform/db/client.ts';
import { recordEvent } from './audit/record-event.ts';
import { deviceCookie } from './device-cookie.ts';
import { issueLoginTokens } from './login-tokens.ts';
import type { UserRow } from './queries.ts';
import { beginSession } from './sessions/begin-session.ts';
import type { Visitor } from './throttle/visitor.ts';

export interface SignedIn {
  tokens: LoginData;
  setCookie: string;
}

/**
 * Begins the session of a person who has proven all that is asked for, in the transaction that proves it; the returned function
 * makes the tokens after it.
 */
export async function openSignIn(
  context: Context,
  tx: Queryable,
  user: UserRow,
): Promise<(visitor: Pick<Visitor, 'deviceId'>) => Promise<SignedIn>> {
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
