import { credentialCaches, type CredentialCaches } from '../../accounts/credential-caches.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Platform } from '../../platform/context.ts';
import { sessionTokenIn } from '../frame/cookie.ts';
import { csrfOf } from '../frame/csrf.ts';
import type { Member } from '../frame/visit.ts';
import {
  findPortalSession,
  findPortalSessionOf,
  touchPortalSession,
  type PortalSessionRow,
} from '../queries/sessions.ts';
import { SEEN_MS, SESSION_MS, hashOfSession } from './session-token.ts';

/** The user signed in by this cookie, and the actor for whom the verbs are called; null if nobody is. */
export async function readSession(
  platform: Platform,
  cookie: string | undefined,
): Promise<{ member: Member; actor: Extract<Actor, { kind: 'user' }> } | null> {
  const token = sessionTokenIn(platform.config, cookie);
  if (token === null) return null;
  const tokenHash = hashOfSession(token);
  const row = await findPortalSession(platform.sql, tokenHash);
  const user = row && (await userBehind(platform, row));
  const standing = user && (await credentialCaches(platform).standingOf(user.customer_id));
  if (!row || !user || !standing) return null;
  const now = platform.now();
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

/** The user signed in by that row; null if the session has ended or expired, or the user is disabled. */
async function userBehind(platform: Platform, row: PortalSessionRow): ReturnType<CredentialCaches['userOf']> {
  const now = platform.now().getTime();
  if (now - row.seen_at.getTime() > SESSION_MS.idle || now - row.created_at.getTime() > SESSION_MS.most) return null;
  const { userOf, sessionOf } = credentialCaches(platform);
  const [user, session] = await Promise.all([userOf(row.user_id), sessionOf(row.login_session_id)]);
  return user && user.disabled_at === null && session && session.ended_at === null ? user : null;
}

/** Whether the session of a cookie that is no longer valid continues under a new one. */
export async function isRenewed(platform: Platform, loginSessionId: string): Promise<boolean> {
  const row = await findPortalSessionOf(platform.sql, loginSessionId);
  return row !== null && (await userBehind(platform, row)) !== null;
}
