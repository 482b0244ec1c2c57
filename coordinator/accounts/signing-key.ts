import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Context, Platform } from '../platform/context.ts';
import { shortCache } from '../platform/short-cache.ts';
import { findSigningKey, type KeyPurpose, type NewKey, type SigningKeyRow } from './queries.ts';

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

export type FindKey = (kid: string) => Promise<SigningKey | null>;

/** Lookup by kid for verifying, from memory for up to 5 s; unknown kids are remembered too. */
export const keyring = (platform: Pick<Platform, 'sql' | 'now'>): FindKey =>
  shortCache({ lifetimeMs: CACHE_MS, maxEntries: CACHE_ENTRIES, now: platform.now }, async (kid) => {
    const row = await findSigningKey(platform.sql, kid);
    return row && signingKeyOf(row);
  });

/** The kid begins with its purpose, so a token says which kind it is before anything is looked up. */
export const newSigningKey = (context: Context, purpose: KeyPurpose): NewKey => ({
  kid: `${purpose}-${context.randomBytes(8).toString('hex')}`,
  purpose,
  secret: context.randomBytes(SECRET_BYTES),
  now: context.now(),
});

export const signingKeyOf = (row: SigningKeyRow): SigningKey => ({
  kid: row.kid,
  purpose: row.purpose,
  key: createSecretKey(row.secret),
  expiresAt: row.expires_at,
});
