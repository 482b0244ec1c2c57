import { z } from 'zod';
import type { Actor } from '../platform/actor.ts';
import type { Platform } from '../platform/context.ts';
import { refuse, type Verifier } from '../platform/http/auth/authenticate.ts';
import type { CredentialCaches } from './credential-caches.ts';
import { kidOf, verifyToken } from './verify-token.ts';

const claims = z.object({ sub: z.string(), use: z.string(), epoch: z.number() });

/** id_token and access_token of a login; the refresh token opens nothing. */
export function loginVerifier(platform: Platform, { findKey, userOf }: CredentialCaches): Verifier {
  const verify = async (token: string): Promise<Actor> => {
    const verification = {
      purpose: 'login',
      what: 'login token',
      findKey,
      now: platform.now(),
      graceSeconds: 0,
    } as const;
    const { sub, use, epoch } = claims.parse(await verifyToken(token, verification));
    if (use !== 'id' && use !== 'access') throw refuse(`A ${use} token is not a credential. Send the id_token.`);
    const user = await userOf(sub);
    if (!user || user.disabled_at || user.session_epoch !== epoch) throw refuse('The session has ended. Log in again.');
    return { kind: 'user', userId: user.id, customerId: user.customer_id, role: user.role, tier: user.tier };
  };
  return { recognises: (token) => kidOf(token)?.startsWith('login-') ?? false, verify };
}
