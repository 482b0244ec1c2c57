import type { KeyObject } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { Cache, loadOnce } from '../platform/cache.ts';
import type { Context } from '../platform/context.ts';
import { refuse } from '../platform/http/auth/admit.ts';
import type { KeyPurpose } from './queries.ts';
import { type FindKey, jobSigningKey } from './signing-key.ts';
import { LATE_GRACE_SECONDS } from './token-times.ts';

interface Verification {
  purpose: KeyPurpose;
  /** What to call the token in a refusal. */
  what: string;
  findKey: FindKey;
  now: Date;
  /** Accept this many seconds after expiry. */
  graceSeconds: number;
}

/** Verifies signature, key, issuer and expiry of one of our JWTs -> its claims. Throws `unauthenticated` with the reason. */
export async function verifyToken(token: string, verification: Verification): Promise<JWTPayload> {
  const { purpose, what, findKey, now } = verification;
  const found = await findKey(kidOf(token) ?? '');
  const usable = found !== null && found.purpose === purpose && (found.expiresAt === null || found.expiresAt > now);
  if (!usable) throw refuse(`The ${what} was not issued here, or its key has been retired.`);
  const confirmed = claimsOf(found.key);
  try {
    const claims = await loadOnce(confirmed, token, () => confirm(token, found.key, verification));
    return unexpired(claims, verification);
  } catch (error) {
    confirmed.delete(token);
    if (error instanceof errors.JWTExpired) throw refuse(`The ${what} has expired.`);
    if (error instanceof errors.JOSEError) throw refuse(`The ${what} is not valid.`);
    throw error;
  }
}

/** Shared by callers with different grace periods, so it allows the longest; `unexpired` enforces each caller's own. */
async function confirm(token: string, key: KeyObject, { now }: Verification): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, key, {
    algorithms: ['HS256'],
    issuer: ISSUER,
    requiredClaims: ['sub', 'iat', 'exp'],
    currentDate: now,
    clockTolerance: LATE_GRACE_SECONDS,
  });
  return payload;
}

/**
 * Claims of tokens whose signature has been, or is being, verified with this key object. A signature does not age, so only the
 * expiry is checked again; beats send the same token by the thousand, and each verification costs a trip to another thread. The
 * keyring makes a new key object every few seconds, and the claims are dropped with the old one.
 */
const claimsChecked = new WeakMap<KeyObject, Cache<string, Promise<JWTPayload>>>();
const MOST_REMEMBERED = 10_000;

function claimsOf(key: KeyObject): Cache<string, Promise<JWTPayload>> {
  const known = claimsChecked.get(key) ?? new Cache<string, Promise<JWTPayload>>(MOST_REMEMBERED);
  claimsChecked.set(key, known);
  return known;
}

/** Same rule as jose: a token is valid until just before the end of the grace after its expiry. */
function unexpired(claims: JWTPayload, { now, graceSeconds, what }: Verification): JWTPayload {
  if ((claims.exp ?? 0) <= Math.floor(now.getTime() / 1000) - graceSeconds) throw refuse(`The ${what} has expired.`);
  return claims;
}

/** Kids by JWT header: all tokens of a key have identical headers. */
const kids = new Cache<string, string | null>(1000);

/** The `kid` of a compact JWT's header, unverified; null if the text is not a JWT. */
export function kidOf(token: string): string | null {
  const [header, , , rest] = token.split('.', 4);
  if (header === undefined || rest !== undefined || token.indexOf('.') === -1) return null;
  const known = kids.get(header);
  if (known !== undefined) return known;
  const kid = kidIn(header);
  kids.set(header, kid);
  return kid;
}

function kidIn(header: string): string | null {
  try {
    const fields: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    const kid = typeof fields === 'object' && fields !== null && 'kid' in fields ? fields.kid : null;
    return typeof kid === 'string' && /^[a-z0-9-]{8,64}$/.test(kid) ? kid : null;
  } catch {
    return null;
  }
}

/** Names the signer, so that a token of another service that shares a secret by accident is refused. */
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
  const signing = await jobSigningKey(context, input);
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

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);
