import type { Context } from '../platform/context.ts';
import { findCurrentSigningKey, insertSigningKey, type KeyPurpose } from './queries.ts';
import { newSigningKey, signingKeyOf, type SigningKey } from './signing-key.ts';

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
