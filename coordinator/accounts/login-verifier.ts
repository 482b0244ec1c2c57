import { z } from 'zod';
import type { Platform } from '../platform/context.ts';
import { refuse, type Verifier } from '../platform/http/auth/authenticate.ts';
import type { CredentialCaches } from './credential-caches.ts';
import { rememberActors, type Confirmed } from './remember-actor.ts';
import { kidOf, verifyToken } from './verify-token.ts';

/** Tokens of before there were sessions have no `sid`; they end with their expiry or the user's epoch. */
const claims = z.object({
  sub: z.string(),
  use: z.string(),
  epoch: z.number(),
  exp: z.number(),
  sid: z.string().optional(),
});

/** id_token and access_token of a login; the refresh token opens nothing. */
export function loginVerifier(platform: Platform, caches: CredentialCaches): Verifier {
  const { findKey, userOf, sessionOf, standingOf, forget } = caches;
  const verify = async (token: string): Promise<Confirmed> => {
    const verification = {
      purpose: 'login',
      what: 'login token',
      findKey,
      now: platform.now(),
      graceSeconds: 0,
    } as const;
    const { sub, use, epoch, exp, sid } = claims.parse(await verifyToken(token, verification));
    if (use !== 'id' && use !== 'access') throw refuse(`A ${use} token is not a credential. Send the id_token.`);
    const remembered = await userOf(sub);
    // Signed after the sessions ended of which this process has not heard yet: who just set a password goes on at once.
    if (remembered && remembered.session_epoch < epoch) forget();
    const user = await userOf(sub);
    const session = sid === undefined ? null : await sessionOf(sid);
    const standing = user && (await standingOf(user.customer_id));
    const isOver = !user || user.disabled_at !== null || user.session_epoch !== epoch || !standing;
    if (isOver || (sid !== undefined && (!session || session.ended_at !== null || session.user_id !== user.id)))
      throw refuse('The session has ended. Log in again.');
    const { id: userId, customer_id: customerId, role } = user;
    const actor = { kind: 'user', userId, customerId, role, standing, sessionId: sid ?? null } as const;
    return { actor, expiresAt: exp * 1000 };
  };
  return {
    recognises: (token) => kidOf(token)?.startsWith('login-') ?? false,
    ...rememberActors(platform, caches, verify),
  };
}
