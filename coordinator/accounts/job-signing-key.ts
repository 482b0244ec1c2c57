import type { Context } from '../platform/context.ts';
import type { Queryable, Transaction } from '../platform/db/client.ts';
import { findSigningKey } from './queries.ts';
import { signingKeyOf, type SigningKey } from './signing-key.ts';
import { credentialCaches } from './credential-caches.ts';
import { createHmac } from 'node:crypto';

/** A page of the job list signs up to 300 tokens, mostly with one key; the secret of a kid never changes. */
const keysOf = new WeakMap<Context['sql'], Map<string, SigningKey>>();

/** The key that a job names, retired or not. `through`: the transaction, where the caller is in one. */
export async function jobSigningKey(
  { sql }: Pick<Context, 'sql'>,
  { kid, jobId }: { kid: string; jobId: string },
  through: Queryable = sql,
): Promise<SigningKey> {
  const known = keysOf.get(sql)?.get(kid);
  if (known) return known;
  const row = await findSigningKey(through, kid);
  if (!row || row.purpose !== 'job') throw new Error(`job ${jobId} names the unknown key ${kid}`);
  const key = signingKeyOf(row);
  keysOf.set(sql, (keysOf.get(sql) ?? new Map<string, SigningKey>()).set(kid, key));
  return key;
}

/** Whether tokens signed with the key of this `kid` still verify. */
export async function isUsableKey(context: Context, kid: string): Promise<boolean> {
  const key = await credentialCaches(context).findKey(kid);
  return key !== null && (key.expiresAt === null || key.expiresAt > context.now());
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
 * The secret of one session of one task: the same session gets the same again, another none that it could guess. Derived by
 * the key of the job's token; what is signed as a token begins with a letter's base64, never with these words.
 */
export async function deriveTaskSecret(context: Context, tx: Transaction, session: TaskSession): Promise<string> {
  const { key } = await jobSigningKey(context, session, tx);
  const { jobId, taskId, epoch, sessionId } = session;
  const words = ['gpumark task secret', jobId, taskId, String(epoch), sessionId.toLowerCase()];
  return `gmts_${createHmac('sha256', key).update(words.join('\n')).digest('base64url')}`;
}
