import { signOut } from '../../accounts/sessions/sign-out.ts';
import { sessionCookie } from '../frame/cookie.ts';
import { seeOther } from '../frame/layout.ts';
import type { Visit } from '../frame/visit.ts';
import { deletePortalSession } from '../queries/sessions.ts';

/** Ends the session of this browser, if it has one; others of the same person go on. */
export async function endSessionHere({ context, member }: Visit): Promise<void> {
  if (member === null) return;
  await signOut(context, { everywhere: false });
  await deletePortalSession(context.sql, member.tokenHash);
}

/** What a browser is told whose session has ended. */
export function signedOut({ context, setCookies }: Visit): Response {
  setCookies.push(sessionCookie(context.config, null));
  return seeOther('/sign-in', { 'Clear-Site-Data': '"cache", "storage"' });
}
