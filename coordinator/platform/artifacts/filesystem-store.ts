import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { artifactKeyPattern } from '../../contract/artifact.ts';
import { makePrivateDirectory } from '../private-directory.ts';
import { objectPath, openObject, writeObject } from './object-files.ts';
import { readOrCreateSigningSecret } from './signing-secret.ts';
import type { ArtifactStore } from './store.ts';
import { checkUrl, signUrl } from './url-signature.ts';

/** Largest single object; a report is well under 1 MiB, a year's offers as packed CSV some hundred. */
const MAX_OBJECT_BYTES = 8 * 1024 ** 3;

/** Files that are still being written begin with this; one so old is left from a process that was killed. */
const INCOMING = 'incoming-';
const ABANDONED_MS = 24 * 3_600_000;

interface Edges {
  dataDir: string;
  /** base of the URLs, asked for at each signing: the port may be known only once the listener is up */
  publicUrl: () => string | null;
  now: () => Date;
  randomBytes: (count: number) => Buffer;
}

/** Objects under `dataDir`/artifacts, URLs signed with a secret kept beside them. One coordinator, or a shared disk. */
export async function createFilesystemStore({ dataDir, publicUrl, now, randomBytes }: Edges): Promise<ArtifactStore> {
  const root = join(dataDir, 'artifacts');
  await makePrivateDirectory(root);
  const secret = await readOrCreateSigningSecret(dataDir, randomBytes);
  await removeAbandoned(root, now());
  const keyOf = (sha256: string, extension: string): string =>
    checkedKey(`sha256/${sha256.slice(0, 2)}/${sha256}.${extension}`);
  return {
    keyOf: (content, { extension }) => keyOf(createHash('sha256').update(content).digest('hex'), extension),
    put: async (content, { extension }) => {
      const written = await writeObject(Buffer.isBuffer(content) ? once(content) : content, {
        temporary: join(root, `${INCOMING}${randomBytes(12).toString('hex')}`),
        pathOf: (sha256) => objectPath(root, keyOf(sha256, extension)),
        mostBytes: MAX_OBJECT_BYTES,
      });
      return { key: keyOf(written.sha256, extension), ...written };
    },
    open: async (key) => {
      if (!artifactKeyPattern.test(key)) return null;
      return openObject(objectPath(root, key), key.slice('sha256/ab/'.length, 'sha256/ab/'.length + 64));
    },
    remove: async (key) => rm(objectPath(root, checkedKey(key)), { force: true }),
    signedUrl: async (key, { fileName, lifetimeSeconds }) => {
      const base = publicUrl();
      if (base === null) throw new Error('A URL was asked for before the public address of the service was known.');
      const expires = Math.floor(now().getTime() / 1000) + lifetimeSeconds;
      const signature = signUrl(secret, checkedKey(key), fileName, expires);
      const query = new URLSearchParams({ name: fileName, expires: String(expires), signature });
      return `${base}/artifacts/${key}?${query.toString()}`;
    },
    checkUrl: (key, signed) => checkUrl(secret, key, signed, now()),
  };
}

async function removeAbandoned(root: string, now: Date): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(INCOMING)) continue;
    const found = await stat(join(root, name)).catch(() => null);
    if (found && found.mtimeMs < now.getTime() - ABANDONED_MS) await rm(join(root, name), { force: true });
  }
}

async function* once(content: Buffer): AsyncGenerator<Buffer, void> {
  yield content;
}

/** Keys are made of hex digits and an extension alone, so no key can leave the directory. */
function checkedKey(key: string): string {
  if (!artifactKeyPattern.test(key)) throw new Error(`${JSON.stringify(key)} is not an artifact key.`);
  return key;
}
