import { issueLoginTokens } from '../../../coordinator/accounts/login-tokens.ts';
import { findUser } from '../../../coordinator/accounts/queries.ts';
import { beginSession } from '../../../coordinator/accounts/sessions/begin-session.ts';
import type { Context } from '../../../coordinator/platform/context.ts';
import { sessionCookie } from '../../../coordinator/portal/frame/cookie.ts';
import { openSession } from '../../../coordinator/portal/sessions/open-session.ts';

/** The `Cookie` header of a new browser session of that person. */
export async function cookieOf(context: Context, userId: string): Promise<string> {
  const user = await findUser(context.sql, userId);
  if (!user) throw new Error('the user is not there');
  const tokens = await issueLoginTokens(context, user, await beginSession(context, context.sql, userId));
  const token = await openSession(context, tokens, 'Mozilla/5.0 (X11; Linux) Firefox/140.0');
  return sessionCookie(context.config, token).split(';')[0] ?? '';
}
