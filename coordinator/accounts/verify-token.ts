import { errors, jwtVerify, type JWTPayload } from 'jose';
import { refuse } from '../platform/http/auth/authenticate.ts';
import type { KeyPurpose } from './queries.ts';
import type { FindKey } from './signing-key.ts';
import { ISSUER } from './sign-job-token.ts';

interface Verification {
  purpose: KeyPurpose;
  /** What to call the token in a refusal. */
  what: string;
  findKey: FindKey;
  now: Date;
  /** Accept this many seconds after expiry. */
  graceSeconds: number;
}

/** Signature, key, issuer and expiry of a JWT of ours -> its claims. Throws `unauthenticated` with the reason. */
export async function verifyToken(token: string, verification: Verification): Promise<JWTPayload> {
  const { purpose, what, findKey, now, graceSeconds } = verification;
  const found = await findKey(kidOf(token) ?? '');
  const usable = found !== null && found.purpose === purpose && (found.expiresAt === null || found.expiresAt > now);
  if (!usable) throw refuse(`The ${what} was not issued here, or its key has been retired.`);
  try {
    const { payload } = await jwtVerify(token, found.key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      requiredClaims: ['sub', 'iat', 'exp'],
      currentDate: now,
      clockTolerance: graceSeconds,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refuse(`The ${what} has expired.`);
    if (error instanceof errors.JOSEError) throw refuse(`The ${what} is not valid.`);
    throw error;
  }
}

/** The `kid` of a compact JWT's header, unverified; null where the text is not a JWT. */
export function kidOf(token: string): string | null {
  const [header, , , rest] = token.split('.', 4);
  if (header === undefined || rest !== undefined || token.indexOf('.') === -1) return null;
  try {
    const fields: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    const kid = typeof fields === 'object' && fields !== null && 'kid' in fields ? fields.kid : null;
    return typeof kid === 'string' && /^[a-z0-9-]{8,64}$/.test(kid) ? kid : null;
  } catch {
    return null;
  }
}
