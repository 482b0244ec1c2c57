import type { Context } from '../platform/context.ts';
import type { Queryable } from '../platform/db/client.ts';
import { findSigningKey } from './queries.ts';
import { signingKeyOf, type SigningKey } from './signing-key.ts';

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
