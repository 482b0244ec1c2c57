import type { Context } from '../platform/context.ts';
import type { Queryable } from '../platform/db/client.ts';
import { recordEvent } from './audit/record-event.ts';
import {
  endSigningKeys,
  insertSigningKey,
  lastJobExpiry,
  lockAccounts,
  retireSigningKey,
  type KeyPurpose,
} from './queries.ts';
import { countRevocation, countOpenJobs } from './revocation/queries.ts';
import { newSigningKey } from './signing-key.ts';
import { keyLifetimeMs, LATE_GRACE_SECONDS } from './token-times.ts';

/**
 * Retires the current key and creates the next. Tokens of the old one verify until the last of them has expired; with `atOnce`
 * they stop verifying, as do those of keys retired before (credential-caches.ts says how soon).
 */
export async function rotateSigningKey(
  context: Context,
  { purpose, atOnce }: { purpose: KeyPurpose; atOnce: boolean },
): Promise<{ kid: string }> {
  const now = context.now();
  const next = newSigningKey(context, purpose);
  await context.sql.begin(async (tx) => {
    await lockAccounts(tx);
    if (atOnce) {
      await endSigningKeys(tx, purpose, now);
      await countRevocation(tx);
    } else await retireSigningKey(tx, purpose, now, await lastUse(context, tx, purpose));
    await insertSigningKey(tx, next);
    const detail = { purpose, at_once: atOnce };
    await recordEvent(context, tx, { action: 'signing_key_rotated', customerId: null, subject: next.kid, detail });
  });
  return { kid: next.kid };
}

/** When the last token of the current key has expired. */
async function lastUse(context: Context, tx: Queryable, purpose: KeyPurpose): Promise<Date> {
  const configured = context.now().getTime() + keyLifetimeMs(purpose, context.config);
  // This process may be configured differently from the one that issued the tokens.
  const lastJob = (await lastJobExpiry(tx))?.getTime() ?? 0;
  const needed = purpose === 'job' ? lastJob + LATE_GRACE_SECONDS * 1000 : 0;
  return new Date(Math.max(configured, needed));
}

/** The jobs that lose their tokens if the keys of job tokens are retired at once. */
export const jobsAtStake = ({ sql }: Context): Promise<{ open: number; started: number }> => countOpenJobs(sql);
