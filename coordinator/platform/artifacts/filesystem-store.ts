import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { artifactKeyPattern } from '../../contract/artifact.ts';
import { objectPath, readObject, sha256Hex, writeObject } from './object-files.ts';
import { readOrCreateSigningSecret } from './signing-secret.ts';
import type { ArtifactStore } from './store.ts';
import { checkUrl, signUrl } from './url-signature.ts';

/** Largest single object; a report is well under 1 MiB, a bulk CSV some hundred. */
const MAX_OBJECT_BYTES = 1024 ** 3;

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
  await mkdir(root, { recursive: true, mode: 0o700 });
  const secret = await readOrCreateSigningSecret(dataDir, randomBytes);
  return {
    put: async (content, { extension }) => {
      if (content.length === 0 || content.length > MAX_OBJECT_BYTES) {
        throw new Error(`An artifact has between 1 and ${MAX_OBJECT_BYTES} bytes, not ${content.length}.`);
      }
      const sha256 = sha256Hex(content);
      const key = checkedKey(`sha256/${sha256.slice(0, 2)}/${sha256}.${extension}`);
      const temporary = join(root, `incoming-${randomBytes(12).toString('hex')}`);
      await writeObject(objectPath(root, key), content, temporary);
      return { key, sha256, sizeBytes: content.length };
    },
    read: async (key) => {
      if (!artifactKeyPattern.test(key)) return null;
      return readObject(objectPath(root, key), key.slice('sha256/ab/'.length, 'sha256/ab/'.length + 64));
    },
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

/** Keys are made of hex digits and an extension alone, so no key can leave the directory. */
function checkedKey(key: string): string {
  if (!artifactKeyPattern.test(key)) throw new Error(`${JSON.stringify(key)} is not an artifact key.`);
  return key;
}
