import type { SignedIn } from '../../accounts/open-sign-in.ts';
import { sessionCookie } from '../frame/cookie.ts';
import { csrfOf } from '../frame/csrf.ts';
import type { Visit } from '../frame/visit.ts';
import { openSession } from './open-session.ts';
import { hashOfSession } from './session-token.ts';

/**
 * This browser is signed in by a new session. Who was signed in before goes on in it: the visit's member is changed in place,
 * since every form of the answer carries the new token's.
 */
export async function enter(visit: Visit, { tokens, setCookie }: SignedIn): Promise<void> {
  const { context, member, setCookies } = visit;
  const token = await openSession(context, tokens, visit.header('user-agent'));
  setCookies.push(sessionCookie(context.config, token), deviceCookieHere(setCookie));
  if (member !== null)
    Object.assign(member, { tokenHash: hashOfSession(token), csrf: csrfOf(token), passwordAt: context.now() });
}

/** The cookie by which a device is known at the next sign-in, for the path where the portal's sign-in stands. */
export const deviceCookieHere = (setCookie: string): string => setCookie.replace(/; Path=[^;]+/, '; Path=/sign-in');
