import { SignJWT } from 'jose';
import type { Context } from '../platform/context.ts';
import { credentialCaches } from './credential-caches.ts';
import type { SigningKey } from './signing-key.ts';

/** Says who signed; a token of another service that shares a secret by accident is refused. */
export const ISSUER = 'gpumark';

export interface JobTokenInput {
  jobId: string;
  customerId: string;
  tokenId: string;
  /** `token_kid` of the job's row: the key that was current when the job was created. */
  kid: string;
  issuedAt: Date;
  expiresAt: Date;
}

/**
 * The job token, derived from the job's row: the same row gives the same text, so it is never stored. The claim
 * `coordinator` lets an agent find us from the token alone.
 */
export async function signJobToken(context: Context, input: JobTokenInput): Promise<string> {
  const signing = await signingKey(context, input);
  const { publicUrl } = context.config;
  return new SignJWT({
    use: 'job',
    customer_id: input.customerId,
    ...(publicUrl === null ? {} : { coordinator: publicUrl }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: signing.kid })
    .setIssuer(ISSUER)
    .setSubject(input.jobId)
    .setJti(input.tokenId)
    .setIssuedAt(seconds(input.issuedAt))
    .setExpirationTime(seconds(input.expiresAt))
    .sign(signing.key);
}

async function signingKey(context: Context, { kid, jobId }: JobTokenInput): Promise<SigningKey> {
  const key = await credentialCaches(context).findKey(kid);
  if (key?.purpose !== 'job') throw new Error(`job ${jobId} names the unknown key ${kid}`);
  return key;
}

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);
