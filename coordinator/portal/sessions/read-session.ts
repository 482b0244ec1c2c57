import { credentialCaches } from '../../accounts/credential-caches.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Platform } from '../../platform/context.ts';
import { sessionTokenIn } from '../frame/cookie.ts';
import { csrfOf } from '../frame/csrf.ts';
import type { Member } from '../frame/visit.ts';
import { findPortalSession, touchPortalSession } from '../queries/sessions.ts';
import { SEEN_MS, SESSION_MS } from './session-times.ts';
import { hashOfSession } from './session-token.ts';

/** Who is signed in by that cookie, and as whom the verbs are called; null: nobody. */
export async function readSession(
  platform: Platform,
  cookie: string | undefined,
): Promise<{ member: Member; actor: Extract<Actor, { kind: 'user' }> } | null> {
  const token = sessionTokenIn(platform.config, cookie);
  if (token === null) return null;
  const tokenHash = hashOfSession(token);
  const row = await findPortalSession(platform.sql, tokenHash);
  const now = platform.now();
  if (!row || now.getTime() - row.seen_at.getTime() > SESSION_MS.idle) return null;
  if (now.getTime() - row.created_at.getTime() > SESSION_MS.most) return null;
  const { userOf, sessionOf, standingOf } = credentialCaches(platform);
  const [user, session] = await Promise.all([userOf(row.user_id), sessionOf(row.login_session_id)]);
  if (!user || user.disabled_at !== null || !session || session.ended_at !== null) return null;
  const standing = await standingOf(user.customer_id);
  if (!standing) return null;
  if (now.getTime() - row.seen_at.getTime() >= SEEN_MS) await touchPortalSession(platform.sql, tokenHash, now);
  const { id: userId, email, role, company_name: company, customer_id: customerId } = user;
  const member: Member = {
    userId,
    email,
    name: `${user.first_name} ${user.last_name}`.trim() || email,
    company,
    role,
    csrf: csrfOf(token),
    loginSessionId: row.login_session_id,
    tokenHash,
    passwordAt: row.password_at,
  };
  return {
    member,
    actor: { kind: 'user', userId, customerId, role, standing, sessionId: row.login_session_id },
  };
}
