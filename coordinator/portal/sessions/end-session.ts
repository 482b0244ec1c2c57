import { signOut } from '../../accounts/sessions/sign-out.ts';
import { sessionCookie } from '../frame/cookie.ts';
import { seeOther } from '../frame/layout.ts';
import type { Visit } from '../frame/visit.ts';
import { deletePortalSession } from '../queries/sessions.ts';

/** Ends the session of this browser, if it has one; the person's other sessions continue. */
export async function endSessionHere({ context, member }: Visit): Promise<void> {
  if (member === null) return;
  await signOut(context, { everywhere: false });
  await deletePortalSession(context.sql, member.tokenHash);
}

/** Response for a browser whose session has ended. */
export function signedOut({ context, setCookies }: Visit): Response {
  setCookies.push(sessionCookie(context.config, null));
  return seeOther('/sign-in', { 'Clear-Site-Data': '"cache", "storage"' });
}
