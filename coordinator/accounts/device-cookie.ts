import { SignJWT } from 'jose';
import { z } from 'zod';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { credentialCaches } from './credential-caches.ts';
import { currentSigningKey } from './signing-key.ts';
import type { UserRow } from './queries.ts';
import { ISSUER, verifyToken } from './job-token.ts';
import { KNOWN_DAYS } from './throttle/limits.ts';

/** Only distinguishes a device that has signed in from a stranger who guesses; it gives access to nothing. */
const NAME = 'gpumark_device';
/** A separate path, so that no other request carries the cookie. */
const PATH = '/api/user/login';
const DAY_SECONDS = 24 * 3600;

const claims = z.object({ sub: z.string(), jti: z.string(), epoch: z.number(), use: z.literal('device') });

/**
 * The `Set-Cookie` of a sign-in. Signed with the login key, so it is void once that key is; `use` distinguishes it from the
 * tokens of a login, and raising the session epoch ends it with the sessions. `deviceId` is null for a device not seen before.
 */
export async function deviceCookie(
  context: Context,
  user: Pick<UserRow, 'id' | 'session_epoch'>,
  deviceId: string | null,
): Promise<string> {
  const signing = await currentSigningKey(context, 'login');
  const issuedAt = Math.floor(context.now().getTime() / 1000);
  const lifetime = KNOWN_DAYS * DAY_SECONDS;
  const value = await new SignJWT({ use: 'device', epoch: user.session_epoch })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: signing.kid })
    .setIssuer(ISSUER)
    .setSubject(user.id)
    .setJti(deviceId ?? context.randomBytes(16).toString('base64url'))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime)
    .sign(signing.key);
  // All our URLs begin with PUBLIC_URL, so its scheme shows whether callers use TLS.
  const secure = context.config.publicUrl?.startsWith('https:') === true ? '; Secure' : '';
  return `${NAME}=${value}; Max-Age=${lifetime}; Path=${PATH}; HttpOnly; SameSite=Strict${secure}`;
}

interface Device {
  userId: string;
  deviceId: string;
  epoch: number;
}

/** The device named by a `Cookie` header; null if it has no valid device cookie. */
export async function readDeviceCookie(context: Context, header: string | undefined): Promise<Device | null> {
  const value = header === undefined ? undefined : cookieIn(header);
  if (value === undefined) return null;
  const { findKey } = credentialCaches(context);
  const verification = {
    purpose: 'login',
    what: 'device cookie',
    findKey,
    now: context.now(),
    graceSeconds: 0,
  } as const;
  try {
    const { sub, jti, epoch } = claims.parse(await verifyToken(value, verification));
    return { userId: sub, deviceId: jti, epoch };
  } catch (error) {
    if (error instanceof DomainError || error instanceof z.ZodError) return null;
    throw error;
  }
}

const cookieIn = (header: string): string | undefined =>
  header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1);
