import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { createArtifactStore } from '../../../../coordinator/platform/artifacts/create-artifact-store.ts';
import type { ArtifactStore } from '../../../../coordinator/platform/artifacts/store.ts';
import { makeDataDir, removeDataDir } from '../../../support/data-dir.ts';
import { testClock } from '../../../support/clock.ts';

const pdf = { contentType: 'application/pdf', extension: 'pdf' };
const content = Buffer.from('%PDF-1.7 a report');

async function openStore(t: TestContext, dataDir?: string) {
  const directory = dataDir ?? (await makeDataDir());
  if (dataDir === undefined) t.after(() => removeDataDir(directory));
  const clock = testClock(new Date('2026-11-21T12:00:00Z'));
  const config = { dataDir: directory, artifactUrl: null, publicUrl: 'https://gpumark.test' };
  const store = await createArtifactStore(config, { now: clock.now, randomBytes });
  return { store, clock, directory };
}

async function contentOf(store: ArtifactStore, key: string): Promise<Buffer> {
  const opened = await store.open(key);
  assert.ok(opened);
  const content = await buffer(opened.content);
  assert.equal(content.length, opened.sizeBytes);
  return content;
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const partsOf = (url: string) => {
  const { pathname, searchParams } = new URL(url);
  return {
    key: pathname.replace('/artifacts/', ''),
    signed: {
      fileName: searchParams.get('name') ?? '',
      expires: Number(searchParams.get('expires')),
      signature: searchParams.get('signature') ?? '',
    },
  };
};

test('the same bytes are stored once, under their SHA-256, and read back', async (t) => {
  const { store, directory } = await openStore(t);
  const first = await store.put(content, pdf);
  const second = await store.put(content, pdf);
  assert.deepEqual(first, second);
  // sha256sum of the 17 bytes above
  assert.equal(first.sizeBytes, 17);
  assert.match(first.key, new RegExp(`^sha256/${first.sha256.slice(0, 2)}/${first.sha256}\\.pdf$`));
  assert.deepEqual(await contentOf(store, first.key), content);
  const files = await readdir(join(directory, 'artifacts'), { recursive: true });
  assert.deepEqual(files.toSorted(), ['sha256', first.key.slice(0, 9), first.key]);
});

test('a signed URL is good until its time and expired from then on', async (t) => {
  const { store, clock } = await openStore(t);
  const { key } = await store.put(content, pdf);
  const { key: named, signed } = partsOf(
    await store.signedUrl(key, { fileName: 'Bericht Ω.pdf', lifetimeSeconds: 60 }),
  );
  assert.equal(named, key);
  assert.equal(signed.fileName, 'Bericht Ω.pdf');
  clock.advance({ seconds: 59 });
  assert.equal(store.checkUrl(key, signed), 'good');
  clock.advance({ seconds: 1 });
  assert.equal(store.checkUrl(key, signed), 'expired');
});

test('a URL with any part changed is not valid', async (t) => {
  const { store } = await openStore(t);
  const { key } = await store.put(content, pdf);
  const other = await store.put(Buffer.from('another'), pdf);
  const { signed } = partsOf(await store.signedUrl(key, { fileName: 'a.pdf', lifetimeSeconds: 60 }));
  assert.equal(store.checkUrl(key, signed), 'good');
  assert.equal(store.checkUrl(other.key, signed), 'altered');
  assert.equal(store.checkUrl(key, { ...signed, fileName: 'b.pdf' }), 'altered');
  assert.equal(store.checkUrl(key, { ...signed, expires: signed.expires + 1 }), 'altered');
  assert.equal(store.checkUrl(key, { ...signed, signature: `A${signed.signature.slice(1)}` }), 'altered');
  assert.equal(store.checkUrl(key, { ...signed, signature: '' }), 'altered');
});

test('URLs stay valid over a restart; another data directory cannot sign for this one', async (t) => {
  const { store, directory } = await openStore(t);
  const { key } = await store.put(content, pdf);
  const { signed } = partsOf(await store.signedUrl(key, { fileName: 'a.pdf', lifetimeSeconds: 60 }));
  const { store: restarted } = await openStore(t, directory);
  assert.equal(restarted.checkUrl(key, signed), 'good');
  const { store: stranger } = await openStore(t);
  assert.equal(stranger.checkUrl(key, signed), 'altered');
});

test('two coordinators that start at once use one secret, readable by its owner alone', async (t) => {
  const directory = await makeDataDir();
  t.after(() => removeDataDir(directory));
  const opened = await Promise.all([openStore(t, directory), openStore(t, directory), openStore(t, directory)]);
  const [first, second, third] = opened.map(({ store }) => store);
  assert.ok(first && second && third);
  const { key } = await first.put(content, pdf);
  const { signed } = partsOf(await second.signedUrl(key, { fileName: 'a.pdf', lifetimeSeconds: 60 }));
  assert.equal(third.checkUrl(key, signed), 'good');
  const secret = await stat(join(directory, 'artifact-signing.key'));
  assert.equal(secret.mode & 0o777, 0o600);
  assert.deepEqual((await readdir(directory)).toSorted(), ['artifact-signing.key', 'artifacts']);
});

test('a damaged secret is named with the remedy', async (t) => {
  const { directory } = await openStore(t);
  await writeFile(join(directory, 'artifact-signing.key'), 'short');
  await assert.rejects(openStore(t, directory), /artifact-signing\.key is damaged\. Restore it, or delete it/);
});

test('no key leads out of the store', async (t) => {
  const { store, directory } = await openStore(t);
  await writeFile(join(directory, 'secret.pdf'), 'not yours');
  const zeros = '0'.repeat(64);
  for (const key of [
    '../secret.pdf',
    `sha256/../../secret.pdf`,
    `sha256/00/../../../secret.pdf`,
    `sha256/00/${zeros}.pdf/..`,
    '',
  ]) {
    assert.equal(await store.open(key), null, key);
    await assert.rejects(store.signedUrl(key, { fileName: 'a', lifetimeSeconds: 1 }), /not an artifact key/, key);
  }
  await assert.rejects(store.put(content, { contentType: 'x', extension: '../../x' }), /not an artifact key/);
  assert.equal(await store.open(`sha256/00/${zeros}.pdf`), null);
});

test('what is removed is gone, and once more is nothing; no other file can be named', async (t) => {
  const { store, directory } = await openStore(t);
  const { key } = await store.put(content, pdf);
  await writeFile(join(directory, 'kept.pdf'), 'not yours');
  await store.remove(key);
  await store.remove(key);
  assert.equal(await store.open(key), null);
  await assert.rejects(async () => store.remove('../kept.pdf'), /not an artifact key/);
  assert.equal(await readFile(join(directory, 'kept.pdf'), 'utf8'), 'not yours');
});

test('a file damaged on disk is refused, not served', async (t) => {
  const { store, directory } = await openStore(t);
  const { key } = await store.put(content, pdf);
  const path = join(directory, 'artifacts', key);
  await truncate(path, 5);
  await assert.rejects(contentOf(store, key), /is damaged: its hash differs/);
  // storing the same content again repairs it
  await store.put(content, pdf);
  assert.deepEqual(await readFile(path), content);
});

test('bytes that come in pieces are the object that they are whole; one that breaks off leaves nothing', async (t) => {
  const { store, directory } = await openStore(t);
  const long = Buffer.alloc(3_500_001, 'price,');
  const streamed = await store.put(inPieces(long, 70_001), { contentType: 'text/csv', extension: 'csv' });
  assert.deepEqual(streamed, await store.put(long, { contentType: 'text/csv', extension: 'csv' }));
  assert.equal(streamed.sizeBytes, 3_500_001);
  assert.deepEqual(await contentOf(store, streamed.key), long);
  const before = await readdir(join(directory, 'artifacts'), { recursive: true });
  const broken = (async function* () {
    yield long;
    throw new Error('the query was cut off');
  })();
  await assert.rejects(store.put(broken, { contentType: 'text/csv', extension: 'csv' }), /was cut off/);
  await assert.rejects(store.put(inPieces(Buffer.alloc(0), 1), pdf), /between 1 and/);
  assert.deepEqual(await readdir(join(directory, 'artifacts'), { recursive: true }), before);
});

test('a long file that is damaged at its beginning never goes out whole', async (t) => {
  const { store, directory } = await openStore(t);
  const long = Buffer.alloc(3_500_001, 'price,');
  const { key } = await store.put(long, { contentType: 'text/csv', extension: 'csv' });
  await writeFile(join(directory, 'artifacts', key), Buffer.concat([Buffer.from('P'), long.subarray(1)]));
  const opened = await store.open(key);
  let sent = 0;
  const reading = async (): Promise<void> => {
    for await (const piece of opened?.content ?? []) sent += piece.length;
  };
  await assert.rejects(reading(), /is damaged: its hash differs/);
  assert.ok(sent < long.length, `${sent} of ${long.length}`);
});

test('ARTIFACT_URL is refused with a sentence that says what to do', async () => {
  const config = { dataDir: '/nowhere', artifactUrl: 's3://bucket', publicUrl: null };
  await assert.rejects(createArtifactStore(config, { now: () => new Date(0), randomBytes }), /Unset ARTIFACT_URL/);
});
