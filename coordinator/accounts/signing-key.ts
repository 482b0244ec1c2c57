import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Context, Platform } from '../platform/context.ts';
import { gatherLookUps } from '../platform/gather-look-ups.ts';
import { shortCache } from '../platform/short-cache.ts';
import { findSigningKey, selectKnownKids, type KeyPurpose, type NewKey, type SigningKeyRow } from './queries.ts';

/** HS256 wants at least as many bytes as its hash has (RFC 7518, 3.2). */
const SECRET_BYTES = 32;

/** A key's expiry may change under us; its secret never does. */
const CACHE_MS = 5000;
const CACHE_ENTRIES = 1000;

const LOOK_LIMITS = { mostKeys: 1000, mostWaiting: 10_000, pauseMs: 50 };

export interface SigningKey {
  kid: string;
  purpose: KeyPurpose;
  key: KeyObject;
  /** No longer verifies from here on. */
  expiresAt: Date | null;
}

export type FindKey = (kid: string) => Promise<SigningKey | null>;

/**
 * Lookup by kid for verifying, from memory for up to 5 s. An absence is not remembered: a new key works at once. Anybody may
 * write any kid into a token, so those that never were ours are looked up together, at most some twenty times a second, and
 * no known key waits behind them or makes room for them.
 */
export function keyring(platform: Pick<Platform, 'sql' | 'now'>): FindKey {
  const isOurs = gatherLookUps(LOOK_LIMITS, (kids) => selectKnownKids(platform.sql, kids));
  const ours = new Set<string>();
  const read = shortCache({ lifetimeMs: CACHE_MS, maxEntries: CACHE_ENTRIES, now: platform.now }, async (kid) => {
    const row = await findSigningKey(platform.sql, kid);
    return row && signingKeyOf(row);
  });
  return async (kid) => {
    if (!KID.test(kid)) return null;
    if (!ours.has(kid) && !(await isOurs(kid))) return null;
    ours.add(kid);
    const key = await read(kid);
    if (key === null) ours.delete(kid);
    return key;
  };
}

/** What `newSigningKey` makes; nothing else is looked for. */
const KID = /^(login|job)-[0-9a-f]{16}$/;

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
