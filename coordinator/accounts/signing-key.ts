import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Context, Platform } from '../platform/context.ts';
import type { Queryable, Transaction } from '../platform/db/client.ts';
import { Cache, shortCache } from '../platform/cache.ts';
import { gatherLookUps } from '../platform/look-ups.ts';
import {
  findCurrentSigningKey,
  findSigningKey,
  insertSigningKey,
  type KeyPurpose,
  type NewKey,
  selectKnownKids,
  type SigningKeyRow,
} from './queries.ts';

/** HS256 requires at least as many bytes as its hash has (RFC 7518, 3.2). */
const SECRET_BYTES = 32;

/** A key's expiry may change under us; its secret never does. */
const CACHE_MS = 5000;
const CACHE_ENTRIES = 1000;

const LOOK_LIMITS = { mostKeys: 1000, mostWaiting: 10_000, pauseMs: 50 };

interface SigningKey {
  kid: string;
  purpose: KeyPurpose;
  key: KeyObject;
  /** Tokens of the key no longer verify from then on. */
  expiresAt: Date | null;
}

export type FindKey = (kid: string) => Promise<SigningKey | null>;

/**
 * Look-up of keys by kid for verifying, cached for up to 5 s. Absence is not cached: a new key works at once. Anybody may write
 * any kid into a token, so unknown kids are looked up in batches, at most some twenty times a second, and no known key waits for
 * them or is evicted by them.
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

/** The form that `newSigningKey` makes; no other kid is looked up. */
const KID = /^(login|job)-[0-9a-f]{16}$/;

/** The kid begins with its purpose, so a token says which kind it is before anything is looked up. */
export const newSigningKey = (context: Context, purpose: KeyPurpose): NewKey => ({
  kid: `${purpose}-${context.randomBytes(8).toString('hex')}`,
  purpose,
  secret: context.randomBytes(SECRET_BYTES),
  created_at: context.now(),
});

const signingKeyOf = (row: SigningKeyRow): SigningKey => ({
  kid: row.kid,
  purpose: row.purpose,
  key: createSecretKey(row.secret),
  expiresAt: row.expires_at,
});

/** The key that signs now; the first caller creates it. */
export async function currentSigningKey(context: Context, purpose: KeyPurpose): Promise<SigningKey> {
  const found = await findCurrentSigningKey(context.sql, purpose);
  if (found) return signingKeyOf(found);
  await insertSigningKey(context.sql, newSigningKey(context, purpose));
  // Two first callers insert one row; both read that one.
  const made = await findCurrentSigningKey(context.sql, purpose);
  if (!made) throw new Error(`no current ${purpose} key right after creating one`);
  return signingKeyOf(made);
}

/** One page of the job list signs up to 300 tokens, mostly with one key; the secret of a kid never changes. */
const keysOf = new WeakMap<Context['sql'], Cache<string, SigningKey>>();

/** The key that a job names, retired or not. `through`: the transaction, if the caller is in one. */
export async function jobSigningKey(
  { sql }: Pick<Context, 'sql'>,
  { kid, jobId }: { kid: string; jobId: string },
  through: Queryable = sql,
): Promise<SigningKey> {
  const keys = keysOf.get(sql) ?? new Cache<string, SigningKey>(CACHE_ENTRIES);
  keysOf.set(sql, keys);
  const known = keys.get(kid);
  if (known) return known;
  const row = await findSigningKey(through, kid);
  if (!row || row.purpose !== 'job') throw new Error(`job ${jobId} names the unknown key ${kid}`);
  const key = signingKeyOf(row);
  keys.set(kid, key);
  return key;
}

interface TaskSession {
  jobId: string;
  /** `token_kid` of the job's row: a rotation changes no secret that was handed out. */
  kid: string;
  taskId: string;
  epoch: number;
  sessionId: string;
}

/**
 * The secret of one session of one task: the same session always gets the same, another session one that cannot be guessed from
 * it. Derived with the key of the job's token; what is signed as a JWT begins with a base64url header, never with these words.
 */
export async function deriveTaskSecret(context: Context, tx: Transaction, session: TaskSession): Promise<string> {
  const { key } = await jobSigningKey(context, session, tx);
  const { jobId, taskId, epoch, sessionId } = session;
  const words = ['gpumark task secret', jobId, taskId, String(epoch), sessionId.toLowerCase()];
  return `gmts_${createHmac('sha256', key).update(words.join('\n')).digest('base64url')}`;
}
