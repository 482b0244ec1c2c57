import { SignJWT } from 'jose';
import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { credentialCaches } from '../credential-caches.ts';
import { ISSUER, verifyToken } from '../job-token.ts';
import { findUser, type UserRow } from '../queries.ts';
import { currentSigningKey } from '../signing-key.ts';

/** Time to find a phone and to set up an app; after that the password is asked for again. */
const LIFETIME_SECONDS = 10 * 60;

const claims = z.object({ sub: z.string(), epoch: z.number(), use: z.literal('second_factor') });

/**
 * Proves that the password was right and a code is still owed. It gives access to nothing by itself; `use` distinguishes it from
 * the tokens of a login, and whatever ends the sessions of the user ends it, since that raises the epoch.
 */
export async function issueTicket(context: Context, user: Pick<UserRow, 'id' | 'session_epoch'>): Promise<string> {
  const signing = await currentSigningKey(context, 'login');
  const issuedAt = Math.floor(context.now().getTime() / 1000);
  return new SignJWT({ use: 'second_factor', epoch: user.session_epoch })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: signing.kid })
    .setIssuer(ISSUER)
    .setSubject(user.id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(signing.key);
}

/** The user whose password was right. Throws `unauthenticated`, in the same words for every reason. */
export async function readTicket(context: Context, ticket: string): Promise<UserRow> {
  const { findKey } = credentialCaches(context);
  const now = context.now();
  const verification = { purpose: 'login', what: 'sign-in', findKey, now, graceSeconds: 0 } as const;
  try {
    const { sub, epoch } = claims.parse(await verifyToken(ticket, verification));
    const user = await findUser(context.sql, sub);
    if (user && user.disabled_at === null && user.session_epoch === epoch) return user;
  } catch (error) {
    if (!(error instanceof DomainError) && !(error instanceof z.ZodError)) throw error;
  }
  throw new DomainError('unauthenticated', 'The sign-in took too long, or something changed meanwhile. Begin again.');
}
