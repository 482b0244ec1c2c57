import type { Platform } from '../platform/context.ts';
import { type Verifier, refuse } from '../platform/http/auth/authenticate.ts';
import { credentialCaches, type CredentialCaches } from './credential-caches.ts';
import { loginVerifier } from './login-verifier.ts';
import { timingSafeEqual } from 'node:crypto';
import { rememberActors, type Confirmed } from './remember-actor.ts';
import { hasPrefix, readToken, type OpaqueKind } from './programs/opaque-token.ts';
import { z } from 'zod';
import type { Actor } from '../platform/actor.ts';
import { LATE_GRACE_SECONDS } from './token-times.ts';
import { kidOf, verifyToken } from './verify-token.ts';

/**
 * Every kind of bearer credential, told apart by how it begins: a JWT by its kid (`login-`, `job-`), an opaque one by
 * its prefix. A credential that none recognises is 401.
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

const claims = z.object({ sub: z.string().regex(/^\d{1,19}$/), jti: z.string(), use: z.literal('job') });

/**
 * The token of one job. Ordinary calls need it unexpired and unrevoked; late ones (`job-late`) take it up to 7 days
 * after expiry. No call takes the token of a deleted job.
 */
function jobVerifier(platform: Platform, { findKey, jobOf }: CredentialCaches): Verifier {
  const verify = async (token: string, { late }: { late: boolean }): Promise<Actor> => {
    const graceSeconds = late ? LATE_GRACE_SECONDS : 0;
    const verification = { purpose: 'job', what: 'job token', findKey, now: platform.now(), graceSeconds } as const;
    const { sub, jti } = claims.parse(await verifyToken(token, verification));
    const job = await jobOf(sub);
    if (!job || job.deleted_at || job.token_id !== jti) throw refuse('The job of this token has been deleted.');
    if (job.token_revoked_at && !late) throw refuse('The job token has been revoked.');
    return { kind: 'job', jobId: sub, customerId: job.customer_id, tokenId: jti };
  };
  return { recognises: (token) => kidOf(token)?.startsWith('job-') ?? false, verify };
}
