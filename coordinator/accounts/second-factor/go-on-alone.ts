import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { deviceCookie } from '../device-cookie.ts';
import { issueLoginTokens } from '../login-tokens.ts';
import type { SignedIn } from '../open-sign-in.ts';
import { findUser, type UserRow } from '../queries.ts';
import { countRevocation, endSessionsOf } from '../revocation/queries.ts';
import { beginSession } from '../sessions/begin-session.ts';

/** Ends all sessions of the user and begins the caller's, in this transaction; the returned function then makes the tokens. */
export async function goOnAlone(context: Context, tx: Queryable, user: UserRow): Promise<() => Promise<SignedIn>> {
  await endSessionsOf(tx, user.id, context.now());
  await countRevocation(tx);
  const session = await beginSession(context, tx, user.id);
  const changed = (await findUser(tx, user.id)) ?? user;
  return async () => ({
    tokens: await issueLoginTokens(context, changed, session),
    setCookie: await deviceCookie(context, changed, null),
  });
}
