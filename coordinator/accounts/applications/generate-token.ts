import { timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import type { generatedToken, generateTokenRequest } from '../../contract/application.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { makeToken, readToken } from '../programs/opaque-token.ts';
import { customerActor } from '../standing/customer-actor.ts';
import { mayManageApplication } from './rights.ts';
import { countValidTokens, deleteTokensBefore, insertToken, isDisabled, lockApplicationOfClient } from './queries.ts';

const DAY_MS = 86_400_000;
/** Days that expired and revoked tokens stay on record. */
const KEPT_DAYS = 400;
const NO_SECRET = Buffer.alloc(32);

/**
 * client_id and client_secret of an application of the caller's company -> a token, shown only once. An unknown id and a wrong
 * secret get the same answer. Throws `unauthenticated`, `forbidden`, `state` when the tier allows no more valid tokens.
 */
export async function generateToken(
  context: Context,
  { client_id: clientId, client_secret }: z.output<typeof generateTokenRequest>,
): Promise<z.input<typeof generatedToken>> {
  const { customerId, standing } = customerActor(context.actor);
  const given = readToken('client_secret', client_secret) ?? NO_SECRET;
  return context.sql.begin(async (tx) => {
    const application = await lockApplicationOfClient(tx, { clientId, customerId });
    const matches = timingSafeEqual(application?.secret_hash ?? NO_SECRET, given);
    if (!application || !matches) {
      throw new DomainError('unauthenticated', 'client_id or client_secret is wrong.');
    }
    mayManageApplication(context.actor, application);
    if (application.owner_id !== null && (await isDisabled(tx, application.owner_id)))
      throw new DomainError(
        'state',
        'The owner of the application is disabled, and its tokens ended then. Take it over first: POST /api/application/take-over.',
      );
    const now = context.now();
    const { tokens_per_application: most, token_days: days } = standing.terms;
    if ((await countValidTokens(tx, application.id, now)) >= most) {
      throw new DomainError(
        'state',
        `The tier ${standing.tier} allows ${most} valid tokens per application, and all are in use. Revoke one first: DELETE /api/application/token.`,
      );
    }
    await deleteTokensBefore(tx, application.id, new Date(now.getTime() - KEPT_DAYS * DAY_MS));
    const made = makeToken('app_token', context.randomBytes);
    const token = {
      id: context.newId(),
      token_prefix: made.shown,
      created_at: now,
      expires_at: new Date(now.getTime() + days * DAY_MS),
    };
    await insertToken(tx, { ...token, application_id: application.id, token_hash: made.hash });
    await recordEvent(context, tx, {
      action: 'app_token_created',
      customerId,
      subject: application.name,
      detail: { id: token.id, token_prefix: made.shown, days },
    });
    return {
      app_token: made.token,
      token_type: 'bearer',
      ...token,
      created_at: token.created_at.toISOString(),
      expires_at: token.expires_at.toISOString(),
    };
  });
}
