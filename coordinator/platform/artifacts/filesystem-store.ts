import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { artifactKeyPattern } from '../../contract/artifact.ts';
import { makePrivateDirectory } from '../private-directory.ts';
import { onDisk } from './disk-failure.ts';
import { objectPath, openObject, writeObject } from './object-files.ts';
import { checkedKey, hashOfKey, keyOfHash, MAX_OBJECT_BYTES } from './object-key.ts';
import type { ArtifactStore } from './store.ts';

/** Prefix of files that are still being written; one older than ABANDONED_MS was left by a process that was killed. */
const INCOMING = 'incoming-';
const ABANDONED_MS = 24 * 3_600_000;

interface Edges {
  dataDir: string;
  links: Pick<ArtifactStore, 'signedUrl' | 'checkUrl'>;
  now: () => Date;
  randomBytes: (count: number) => Buffer;
}

/** Objects under `dataDir`/artifacts, for one coordinator or several on a shared disk. */
export async function createFilesystemStore({ dataDir, links, now, randomBytes }: Edges): Promise<ArtifactStore> {
  const root = join(dataDir, 'artifacts');
  await makePrivateDirectory(root);
  await removeAbandoned(root, now());
  return {
    ...links,
    keyOf: (content, { extension }) => keyOfHash(createHash('sha256').update(content).digest('hex'), extension),
    put: async (content, { extension }) => {
      const written = await onDisk(
        root,
        writeObject(Buffer.isBuffer(content) ? once(content) : content, {
          temporary: join(root, `${INCOMING}${randomBytes(12).toString('hex')}`),
          pathOf: (sha256) => objectPath(root, keyOfHash(sha256, extension)),
          mostBytes: MAX_OBJECT_BYTES,
        }),
      );
      return { key: keyOfHash(written.sha256, extension), ...written };
    },
    open: async (key) => {
      if (!artifactKeyPattern.test(key)) return null;
      return onDisk(root, openObject(objectPath(root, key), hashOfKey(key)));
    },
    remove: async (key) => rm(objectPath(root, checkedKey(key)), { force: true }),
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
