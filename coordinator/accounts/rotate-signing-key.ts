import type { Context } from '../platform/context.ts';
import { insertSigningKey, lockAccounts, retireSigningKey, type KeyPurpose } from './queries.ts';
import { newSigningKey } from './signing-key.ts';
import { keyLifetimeMs } from './token-times.ts';

/** Retires the current key and begins the next. Tokens of the old one verify until the last of them has expired. */
export async function rotateSigningKey(context: Context, purpose: KeyPurpose): Promise<{ kid: string }> {
  const now = context.now();
  const next = newSigningKey(context, purpose);
  await context.sql.begin(async (tx) => {
    await lockAccounts(tx);
    await retireSigningKey(tx, purpose, now, new Date(now.getTime() + keyLifetimeMs(purpose, context.config)));
    await insertSigningKey(tx, next);
  });
  return { kid: next.kid };
}
