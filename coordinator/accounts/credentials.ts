import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Actor } from '../platform/actor.ts';
import type { Platform } from '../platform/context.ts';
import { refuse, type Verifier } from '../platform/http/auth/admit.ts';
import { type Confirmed, credentialCaches, type CredentialCaches, rememberActors } from './credential-caches.ts';
import { hasPrefix, type OpaqueKind, readToken } from './programs/opaque-token.ts';
import { LATE_GRACE_SECONDS } from './token-times.ts';
import { kidOf, verifyToken } from './job-token.ts';

/**
 * Verifiers of every kind of bearer credential, which is recognised by how it begins: a JWT by its kid (`login-`, `job-`), an
 * opaque one by its prefix. A credential that no verifier recognises gets 401.
 */
export function credentialVerifiers(platform: Platform): Verifier[] {
  const caches = credentialCaches(platform);
  return [
    loginVerifier(platform, caches),
    jobVerifier(platform, caches),
    programVerifier(platform, caches, 'app_token'),
    programVerifier(platform, caches, 'api_key'),
  ];
}

const kinds = { app_token: 'application token', api_key: 'API key' } as const satisfies Partial<
  Record<OpaqueKind, string>
>;

/** Application tokens or API keys: opaque, looked up by their SHA-256. */
function programVerifier(platform: Platform, caches: CredentialCaches, kind: keyof typeof kinds): Verifier {
  const { programOf, standingOf } = caches;
  const what = kinds[kind];
  const verify = async (token: string): Promise<Confirmed> => {
    const hash = readToken(kind, token);
    if (hash === null) throw refuse(`The ${what} is not complete: its check digits are wrong. Paste all of it.`);
    const row = await programOf(hash.toString('hex'));
    if (!row || !timingSafeEqual(row.hash, hash) || row.revoked_at)
      throw refuse(`The ${what} is unknown, or it was revoked.`);
    if (row.expires_at <= platform.now()) throw refuse(`The ${what} has expired.`);
    const standing = await standingOf(row.customer_id);
    if (!standing) throw refuse(`The ${what} is unknown, or it was revoked.`);
    const of = { customerId: row.customer_id, standing };
    const actor =
      row.kind === 'application'
        ? ({ kind: 'application', ...of, applicationId: row.owner_id, tokenId: row.id } as const)
        : ({ kind: 'api_key', ...of, apiKeyId: row.id } as const);
    return { actor, expiresAt: row.expires_at.getTime() };
  };
  return { recognises: (token) => hasPrefix(kind, token), ...rememberActors(platform, caches, verify) };
}

const jobClaims = z.object({ sub: z.string().regex(/^\d{1,19}$/), jti: z.string(), use: z.literal('job') });

/**
 * The token of one job. Ordinary calls need it unexpired and unrevoked; late ones (`job-late`) take it up to 7 days
 * after expiry. No call takes the token of a deleted job.
 */
function jobVerifier(platform: Platform, { findKey, jobOf }: CredentialCaches): Verifier {
  const verify = async (token: string, { late }: { late: boolean }): Promise<Actor> => {
    const graceSeconds = late ? LATE_GRACE_SECONDS : 0;
    const verification = { purpose: 'job', what: 'job token', findKey, now: platform.now(), graceSeconds } as const;
    const { sub, jti } = jobClaims.parse(await verifyToken(token, verification));
    const job = await jobOf(sub);
    if (!job || job.deleted_at || job.token_id !== jti) throw refuse('The job of this token has been deleted.');
    if (job.token_revoked_at && !late) throw refuse('The job token has been revoked.');
    return { kind: 'job', jobId: sub, customerId: job.customer_id, tokenId: jti };
  };
  return { recognises: (token) => kidOf(token)?.startsWith('job-') ?? false, verify };
}

/** Tokens of releases without sessions have no `sid`; they end with their expiry or when the user's epoch is raised. */
const loginClaims = z.object({
  sub: z.string(),
  use: z.string(),
  epoch: z.number(),
  exp: z.number(),
  sid: z.string().optional(),
});

/** id_token and access_token of a login; a refresh token is refused. */
function loginVerifier(platform: Platform, caches: CredentialCaches): Verifier {
  const { findKey, userOf, sessionOf, standingOf, forget } = caches;
  const verify = async (token: string): Promise<Confirmed> => {
    const verification = {
      purpose: 'login',
      what: 'login token',
      findKey,
      now: platform.now(),
      graceSeconds: 0,
    } as const;
    const { sub, use, epoch, exp, sid } = loginClaims.parse(await verifyToken(token, verification));
    if (use !== 'id' && use !== 'access') throw refuse(`A ${use} token is not a credential. Send the id_token.`);
    const remembered = await userOf(sub);
    // All sessions were ended before this token was signed, but the cache is older: somebody who just set a password continues.
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
