import type { Context } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { findSession, findUser, endSession } from '../queries.ts';
import { countRevocation, endSessionsOf } from '../revocation/queries.ts';

/**
 * Ends the caller's session, another one of the same user, or all of the user's. Throws `state` for a token without a session,
 * `not_found` for a session of somebody else.
 */
export async function signOut(
  context: Context,
  { everywhere, otherSession }: { everywhere: boolean; otherSession?: string },
): Promise<Record<string, never>> {
  const { actor } = context;
  if (actor.kind !== 'user') throw new DomainError('forbidden', 'Only people have sessions that end.');
  const { userId, customerId } = actor;
  const sessionId = otherSession ?? actor.sessionId;
  await context.sql.begin(async (tx) => {
    const now = context.now();
    const user = await findUser(tx, userId);
    if (everywhere) await endSessionsOf(tx, userId, now);
    else if (sessionId === null) throw ofNoSession();
    else if (otherSession !== undefined && (await findSession(tx, otherSession))?.user_id !== userId)
      throw notFound('The session');
    // Two sign-outs at the same time record one event.
    else if (!(await endSession(tx, sessionId, now))) return;
    const action = everywhere ? 'sessions_ended' : 'sign_out';
    const detail = otherSession === undefined ? {} : { session_id: otherSession };
    await recordEvent(context, tx, { action, customerId, subject: user?.email ?? userId, detail });
    await countRevocation(tx);
  });
  return {};
}

/** A token of a release without sessions; it ends with its expiry, at most 12 hours after an update. */
const ofNoSession = (): DomainError =>
  new DomainError('state', 'This token belongs to no session. Send everywhere: true to end all sessions.');
