import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Context, Platform } from '../platform/context.ts';
import { shortCache } from '../platform/short-cache.ts';
import {
  findCurrentSigningKey,
  findSigningKey,
  insertSigningKey,
  lockAccounts,
  retireSigningKey,
  type KeyPurpose,
  type SigningKeyRow,
} from './queries.ts';
import { keyLifetimeMs } from './token-times.ts';

/** HS256 wants at least as many bytes as its hash has (RFC 7518, 3.2). */
const SECRET_BYTES = 32;

/** A key's expiry may change under us; its secret never does. */
const CACHE_MS = 5000;
const CACHE_ENTRIES = 1000;

export interface SigningKey {
  kid: string;
  purpose: KeyPurpose;
  key: KeyObject;
  /** No longer verifies from here on. */
  expiresAt: Date | null;
}

/** The key that signs now; the first caller creates it. */
export async function currentSigningKey(context: Context, purpose: KeyPurpose): Promise<SigningKey> {
  const found = await findCurrentSigningKey(context.sql, purpose);
  if (found) return signingKey(found);
  await insertSigningKey(context.sql, newKey(context, purpose));
  const made = await findCurrentSigningKey(context.sql, purpose);
  if (!made) throw new Error(`no current ${purpose} key right after creating one`);
  return signingKey(made);
}

/** Retires the current key and begins the next. Tokens of the old one verify until the last of them has expired. */
export async function rotateSigningKey(context: Context, purpose: KeyPurpose): Promise<{ kid: string }> {
  const now = context.now();
  const next = newKey(context, purpose);
  await context.sql.begin(async (tx) => {
    await lockAccounts(tx);
    await retireSigningKey(tx, purpose, now, new Date(now.getTime() + keyLifetimeMs(purpose, context.config)));
    await insertSigningKey(tx, next);
  });
  return { kid: next.kid };
}

export async function signingKeyOf(context: Context, kid: string): Promise<SigningKey | null> {
  const row = await findSigningKey(context.sql, kid);
  return row && signingKey(row);
}

/** Lookup by kid for verifying, from memory for up to 5 s; unknown kids are remembered too. */
export const keyring = (platform: Platform): ((kid: string) => Promise<SigningKey | null>) =>
  shortCache({ lifetimeMs: CACHE_MS, maxEntries: CACHE_ENTRIES, now: platform.now }, async (kid) => {
    const row = await findSigningKey(platform.sql, kid);
    return row && signingKey(row);
  });

/** The kid begins with its purpose, so a token says which kind it is before anything is looked up. */
const newKey = (context: Context, purpose: KeyPurpose) => ({
  kid: `${purpose}-${context.randomBytes(8).toString('hex')}`,
  purpose,
  secret: context.randomBytes(SECRET_BYTES),
  now: context.now(),
});

const signingKey = (row: SigningKeyRow): SigningKey => ({
  kid: row.kid,
  purpose: row.purpose,
  key: createSecretKey(row.secret),
  expiresAt: row.expires_at,
});
