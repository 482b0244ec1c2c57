import { z } from 'zod';
import type { LoginData } from '../../contract/user.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { DomainError } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { credentialCaches } from '../credential-caches.ts';
import { issueLoginTokens } from '../login-tokens.ts';
import { findUser, type UserRow, advanceSession, endSession, lockSession, type SessionRow } from '../queries.ts';
import { countRevocation } from '../revocation/queries.ts';
import { verifyToken } from '../job-token.ts';
import { expiryOf, type Session } from './begin-session.ts';

const claims = z.object({
  sub: z.string(),
  use: z.literal('refresh'),
  epoch: z.number(),
  sid: z.string(),
  gen: z.number(),
});
type Claims = z.output<typeof claims>;

/**
 * A refresh token -> the next three tokens. It works once: reuse means that there are two copies, and as it is unknown whose is
 * whose, the session ends for both (RFC 9700, 4.14.2). Throws `unauthenticated`, in the same words for every reason.
 */
export async function refreshLogin(context: Context, refreshToken: string): Promise<LoginData> {
  const claimed = await claimsOf(context, refreshToken);
  // The end of a stolen session must be committed, so the refusal is thrown after the transaction and not in it.
  const renewed = await context.sql.begin(async (tx) => {
    const session = await lockSession(tx, claimed.sid);
    const user = session && (await findUser(tx, session.user_id));
    if (!user || !isLive(context, { session, user, claimed })) return null;
    if (claimed.gen === session.generation) return { user, session: await advance(context, tx, session) };
    if (claimed.gen < session.generation) await endStolen(context, tx, { session, user });
    return null;
  });
  if (!renewed) throw ended();
  context.note({ user_id: renewed.user.id, customer_id: renewed.user.customer_id });
  return issueLoginTokens(context, renewed.user, renewed.session);
}

const ended = (): DomainError =>
  new DomainError('unauthenticated', 'The session has ended, or refresh_token is not its newest. Sign in again.');

async function claimsOf(context: Context, token: string): Promise<Claims> {
  const { findKey } = credentialCaches(context);
  const now = context.now();
  const verification = { purpose: 'login', what: 'refresh token', findKey, now, graceSeconds: 0 } as const;
  try {
    return claims.parse(await verifyToken(token, verification));
  } catch (error) {
    if (error instanceof DomainError || error instanceof z.ZodError) throw ended();
    throw error;
  }
}

function isLive(
  context: Context,
  { session, user, claimed }: { session: SessionRow; user: UserRow; claimed: Claims },
): boolean {
  const isOfUser = session.user_id === claimed.sub && user.disabled_at === null && user.session_epoch === claimed.epoch;
  return isOfUser && session.ended_at === null && session.expires_at > context.now();
}

async function advance(context: Context, tx: Queryable, { id, generation, created_at }: SessionRow): Promise<Session> {
  const now = context.now();
  const expiresAt = expiryOf(created_at, now);
  await advanceSession(tx, { id, now, expiresAt });
  return { id, generation: generation + 1, expiresAt };
}

/** Once for each session: when it has ended, its tokens are only refused. */
async function endStolen(
  context: Context,
  tx: Queryable,
  { session, user }: { session: SessionRow; user: UserRow },
): Promise<void> {
  await endSession(tx, session.id, context.now());
  await recordEvent(context, tx, {
    action: 'refresh_token_reused',
    customerId: user.customer_id,
    userId: user.id,
    subject: user.email,
    detail: { session_id: session.id },
  });
  await countRevocation(tx);
}
