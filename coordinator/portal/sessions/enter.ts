import type { SignedIn } from '../../accounts/open-sign-in.ts';
import { sessionCookie } from '../frame/cookie.ts';
import { csrfOf } from '../frame/csrf.ts';
import type { Visit } from '../frame/visit.ts';
import { openSession } from './open-session.ts';
import { hashOfSession } from './session-token.ts';

/**
 * Signs this browser in with a new session. If it was signed in before, the visit's member is changed in place, since
 * every form in the response carries the new CSRF token.
 */
export async function enter(visit: Visit, { tokens, setCookie }: SignedIn): Promise<void> {
  const { context, member, setCookies } = visit;
  const token = await openSession(context, tokens, visit.header('user-agent'));
  setCookies.push(sessionCookie(context.config, token), deviceCookieHere(setCookie));
  if (member !== null)
    Object.assign(member, { tokenHash: hashOfSession(token), csrf: csrfOf(token), passwordAt: context.now() });
}

/** The cookie that identifies a known device at the next sign-in, with the path of the portal's sign-in page. */
export const deviceCookieHere = (setCookie: string): string => setCookie.replace(/; Path=[^;]+/, '; Path=/sign-in');
