import { z } from 'zod';
import type { Actor } from '../platform/actor.ts';
import type { Platform } from '../platform/context.ts';
import { refuse, type Verifier } from '../platform/http/auth/authenticate.ts';
import type { CredentialCaches } from './credential-caches.ts';
import { LATE_GRACE_SECONDS } from './token-times.ts';
import { kidOf, verifyToken } from './verify-token.ts';

const claims = z.object({ sub: z.string().regex(/^\d{1,19}$/), jti: z.string(), use: z.literal('job') });

/**
 * The token of one job. Ordinary calls need it unexpired and unrevoked; late ones (`job-late`) take it up to 7 days
 * after expiry. No call takes the token of a deleted job.
 */
export function jobVerifier(platform: Platform, { findKey, jobOf }: CredentialCaches): Verifier {
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
