import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createArtifactStore } from '../../../../coordinator/platform/artifacts/create-artifact-store.ts';
import { StoreError } from '../../../../coordinator/platform/errors.ts';
import { testClock } from '../../../support/clock.ts';
import { makeDataDir, removeDataDir } from '../../../support/data-dir.ts';
import { freshDatabase, type FreshDatabase } from '../../../support/postgres.ts';
import { content, contentOf, partsOf, pdf, storeCases, type OpenedStore } from './store-cases.ts';

async function openStore(t: TestContext): Promise<OpenedStore & { directory: string; database: FreshDatabase }> {
  const directory = await makeDataDir();
  t.after(() => removeDataDir(directory));
  const clock = testClock(new Date('2026-11-21T12:00:00Z'));
  const config = { dataDir: directory, s3: null, publicUrl: 'https://gpumark.test' };
  const open = ({ sql }: FreshDatabase) => createArtifactStore(config, { sql, now: clock.now, randomBytes });
  const database = await freshDatabase(t);
  return {
    store: await open(database),
    clock,
    directory,
    database,
    list: async () => {
      const found = await readdir(join(directory, 'artifacts'), { recursive: true, withFileTypes: true });
      const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      return files.map((path) => path.slice(join(directory, 'artifacts/').length)).toSorted();
    },
    damage: (key, bytes) => writeFile(join(directory, 'artifacts', key), bytes),
    again: () => open(database),
    stranger: async () => open(await freshDatabase(t)),
  };
}

describe('artifacts in files', () => {
  storeCases(openStore);

  test('a file beside the artifacts is not one of them', async (t) => {
    const { store, directory } = await openStore(t);
    await writeFile(join(directory, 'kept.pdf'), 'not yours');
    await assert.rejects(async () => store.remove('../kept.pdf'), /not an artifact key/);
    assert.equal(await readFile(join(directory, 'kept.pdf'), 'utf8'), 'not yours');
  });

  test(
    'a full disk and a read-only one are said with the remedy; what is there is given, and nothing half written stays',
    { skip: process.getuid?.() === 0 ? false : 'needs root to mount' },
    async (t) => {
      // Not below a folder that other runs tidy up: a mount that a killed test left there would stop them.
      const disk = mkdtempSync(join(tmpdir(), 'gpumark-full-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]);
      t.after(() => {
        execFileSync('umount', [disk]);
        rmdirSync(disk);
      });
      const config = { dataDir: disk, s3: null, publicUrl: 'https://gpumark.test' };
      const { sql } = await freshDatabase(t);
      const store = await createArtifactStore(config, { sql, now: () => new Date(), randomBytes });
      const { key } = await store.put(content, pdf);
      const refusal = (says: RegExp) => (error: unknown) => {
        assert.ok(error instanceof StoreError);
        assert.match(error.message, says);
        return true;
      };
      const full =
        /^The files under .*artifacts cannot be used: the disk is full: make room, or move DATA_DIR \(ENOSPC/;
      await assert.rejects(store.put(randomBytes(2 ** 20), pdf), refusal(full));
      const names = await readdir(join(disk, 'artifacts'), { recursive: true, withFileTypes: true });
      assert.equal(names.filter((entry) => entry.isFile()).length, 1);
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      await assert.rejects(
        store.put(Buffer.from('one more'), pdf),
        refusal(/the disk is read-only: mount it for writing/),
      );
      assert.deepEqual(await contentOf(store, key), content);
      execFileSync('mount', ['-o', 'remount,rw', disk]);
      assert.ok(await store.put(Buffer.from('one more'), pdf));
    },
  );

  test('several that start at once use one secret', async (t) => {
    const { again, stranger } = await openStore(t);
    const [first, second, third] = await Promise.all([again(), again(), again()]);
    const { key } = await first.put(content, pdf);
    const { signed } = partsOf(await second.signedUrl(key, { fileName: 'a.pdf', lifetimeSeconds: 60 }));
    assert.equal(third.checkUrl(key, signed), 'good');
    assert.equal((await stranger()).checkUrl(key, signed), 'altered');
  });

  test('links of an earlier release, whose secret lay in DATA_DIR, open on; a damaged secret is named with the remedy', async (t) => {
    const { directory, stranger } = await openStore(t);
    const former = join(directory, 'artifact-signing.key');
    await writeFile(former, 'short');
    await assert.rejects(stranger(), /artifact-signing\.key is damaged\. Restore it, or delete it/);
    await writeFile(former, `${'ab'.repeat(32)}\n`);
    const [one, other] = [await stranger(), await stranger()];
    const { key } = await one.put(content, pdf);
    const { signed } = partsOf(await one.signedUrl(key, { fileName: 'a.pdf', lifetimeSeconds: 60 }));
    assert.equal(other.checkUrl(key, signed), 'good', 'both took it over');
  });
});
