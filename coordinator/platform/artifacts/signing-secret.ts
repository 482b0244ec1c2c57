import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queryable } from '../db/client.ts';
import { insertSecret, selectSecret } from './queries.ts';

const SECRET_BYTES = 32;

/**
 * The secret that signs artifact URLs: one for all coordinators of a database, made at the first start. Earlier releases kept
 * it in DATA_DIR; what is found there is taken over, so that links that were handed out open on.
 */
export async function readOrCreateSigningSecret(
  sql: Queryable,
  { dataDir, randomBytes, now }: { dataDir: string; randomBytes: (count: number) => Buffer; now: () => Date },
): Promise<Buffer> {
  const found = await selectSecret(sql);
  if (found) return found;
  await insertSecret(sql, (await readFormer(dataDir)) ?? randomBytes(SECRET_BYTES), now());
  const made = await selectSecret(sql);
  if (!made) throw new Error('The signing key of artifacts vanished while it was being made.');
  return made;
}

async function readFormer(dataDir: string): Promise<Buffer | null> {
  const path = join(dataDir, 'artifact-signing.key');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  if (!/^[0-9a-f]{64}\n?$/.test(text)) {
    throw new Error(
      `The signing key ${path} is damaged. Restore it, or delete it: signed URLs handed out so far then end.`,
    );
  }
  return Buffer.from(text.trim(), 'hex');
}
