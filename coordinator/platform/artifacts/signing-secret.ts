import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SECRET_BYTES = 32;

/**
 * The secret that signs artifact URLs, kept in `dataDir` with mode 0600 and made at the first start. Two coordinators
 * that start at once end with the same one: the file is linked into place, and the second link finds it there.
 */
export async function readOrCreateSigningSecret(
  dataDir: string,
  randomBytes: (count: number) => Buffer,
): Promise<Buffer> {
  const path = join(dataDir, 'artifact-signing.key');
  const found = await readSecret(path);
  if (found) return found;
  const temporary = `${path}.${randomBytes(8).toString('hex')}`;
  await writeFile(temporary, `${randomBytes(SECRET_BYTES).toString('hex')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  await link(temporary, path).catch(ignoring('EEXIST'));
  await rm(temporary, { force: true });
  const made = await readSecret(path);
  if (!made) throw new Error(`The signing key ${path} vanished while it was being made.`);
  return made;
}

async function readSecret(path: string): Promise<Buffer | null> {
  const text = await readFile(path, 'utf8').catch(ignoring('ENOENT'));
  if (text === undefined) return null;
  if (!/^[0-9a-f]{64}\n?$/.test(text)) {
    throw new Error(
      `The signing key ${path} is damaged. Restore it, or delete it: signed URLs handed out so far then end.`,
    );
  }
  return Buffer.from(text.trim(), 'hex');
}

const ignoring =
  (code: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof Error && 'code' in error && error.code === code)) throw error;
  };
