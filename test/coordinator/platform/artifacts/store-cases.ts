import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import type { ArtifactStore } from '../../../../coordinator/platform/artifacts/store.ts';
import { altered } from '../../../support/altered.ts';
import type { TestClock } from '../../../support/clock.ts';

export const pdf = { contentType: 'application/pdf', extension: 'pdf' };
const csv = { contentType: 'text/csv', extension: 'csv' };
export const content = Buffer.from('%PDF-1.7 a report');

export interface OpenedStore {
  store: ArtifactStore;
  clock: TestClock;
  /** Every object that is stored, in order: their keys, and what else lies there. */
  list: () => Promise<string[]>;
  /** Puts other bytes instead of an object, past the store. */
  damage: (key: string, bytes: Buffer) => Promise<void>;
  /** The same place and database, opened by another process. */
  again: () => Promise<ArtifactStore>;
  /** Another database. */
  stranger: () => Promise<ArtifactStore>;
}

export async function contentOf(store: ArtifactStore, key: string): Promise<Buffer> {
  const opened = await store.open(key);
  assert.ok(opened);
  const content = await buffer(opened.content);
  assert.equal(content.length, opened.sizeBytes);
  return content;
}

export async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const partsOf = (url: string) => {
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

/** What every store promises, whatever it keeps its objects on. */
export function storeCases(open: (t: TestContext) => Promise<OpenedStore>): void {
  test('the same bytes are stored once, under their SHA-256, and read back', async (t) => {
    const { store, list } = await open(t);
    const first = await store.put(content, pdf);
    assert.deepEqual(await store.put(content, pdf), first);
    // sha256sum of the 17 bytes above
    assert.equal(first.sizeBytes, 17);
    assert.match(first.key, new RegExp(`^sha256/${first.sha256.slice(0, 2)}/${first.sha256}\\.pdf$`));
    assert.equal(store.keyOf(content, pdf), first.key);
    assert.deepEqual(await contentOf(store, first.key), content);
    assert.deepEqual(await list(), [first.key]);
  });

  test('a signed URL is good until its time and expired from then on', async (t) => {
    const { store, clock } = await open(t);
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
    const { store } = await open(t);
    const { key } = await store.put(content, pdf);
    const other = await store.put(Buffer.from('another'), pdf);
    const { signed } = partsOf(await store.signedUrl(key, { fileName: 'a.pdf', lifetimeSeconds: 60 }));
    assert.equal(store.checkUrl(key, signed), 'good');
    assert.equal(store.checkUrl(other.key, signed), 'altered');
    assert.equal(store.checkUrl(key, { ...signed, fileName: 'b.pdf' }), 'altered');
    assert.equal(store.checkUrl(key, { ...signed, expires: signed.expires + 1 }), 'altered');
    assert.equal(store.checkUrl(key, { ...signed, signature: altered(signed.signature, 0) }), 'altered');
    assert.equal(store.checkUrl(key, { ...signed, signature: '' }), 'altered');
  });

  test('URLs are good at every coordinator of a database, also after a restart, and at no other’s', async (t) => {
    const { store, again, stranger } = await open(t);
    const { key } = await store.put(content, pdf);
    const { signed } = partsOf(await store.signedUrl(key, { fileName: 'a.pdf', lifetimeSeconds: 60 }));
    assert.equal((await again()).checkUrl(key, signed), 'good');
    assert.equal((await stranger()).checkUrl(key, signed), 'altered');
  });

  test('no key leads out of the store', async (t) => {
    const { store } = await open(t);
    const zeros = '0'.repeat(64);
    for (const key of [
      '../secret.pdf',
      'sha256/../../secret.pdf',
      'sha256/00/../../../secret.pdf',
      `sha256/00/${zeros}.pdf/..`,
      '',
    ]) {
      assert.equal(await store.open(key), null, key);
      await assert.rejects(store.signedUrl(key, { fileName: 'a', lifetimeSeconds: 1 }), /not an artifact key/, key);
      await assert.rejects(async () => store.remove(key), /not an artifact key/, key);
    }
    await assert.rejects(async () => store.put(content, { ...pdf, extension: '../../x' }), /not an artifact key/);
    assert.equal(await store.open(`sha256/00/${zeros}.pdf`), null);
  });

  test('what is removed is gone, and once more is nothing', async (t) => {
    const { store, list } = await open(t);
    const { key } = await store.put(content, pdf);
    const { key: kept } = await store.put(Buffer.from('kept'), pdf);
    await store.remove(key);
    await store.remove(key);
    assert.equal(await store.open(key), null);
    assert.deepEqual(await list(), [kept]);
  });

  test('an object that was damaged is refused, not served; storing it again repairs it', async (t) => {
    const { store, damage } = await open(t);
    const { key } = await store.put(content, pdf);
    await damage(key, content.subarray(0, 5));
    await assert.rejects(contentOf(store, key), /is damaged: its hash differs/);
    await store.put(content, pdf);
    assert.deepEqual(await contentOf(store, key), content);
  });

  test('bytes that come in pieces are the object that they are whole; one that breaks off leaves nothing', async (t) => {
    const { store, list } = await open(t);
    const long = Buffer.alloc(3_500_001, 'price,');
    const streamed = await store.put(inPieces(long, 70_001), csv);
    assert.deepEqual(streamed, await store.put(long, csv));
    assert.equal(streamed.sizeBytes, 3_500_001);
    assert.deepEqual(await contentOf(store, streamed.key), long);
    const before = await list();
    const broken = (async function* () {
      yield long;
      throw new Error('the query was cut off');
    })();
    await assert.rejects(store.put(broken, csv), /was cut off/);
    await assert.rejects(async () => store.put(inPieces(Buffer.alloc(0), 1), pdf), /between 1 and/);
    assert.deepEqual(await list(), before);
  });

  test('a long object that is damaged at its beginning never goes out whole', async (t) => {
    const { store, damage } = await open(t);
    const long = Buffer.alloc(3_500_001, 'price,');
    const { key } = await store.put(long, csv);
    await damage(key, Buffer.concat([Buffer.from('P'), long.subarray(1)]));
    const opened = await store.open(key);
    let sent = 0;
    const reading = async (): Promise<void> => {
      for await (const piece of opened?.content ?? []) sent += piece.length;
    };
    await assert.rejects(reading(), /is damaged: its hash differs/);
    assert.ok(sent < long.length, `${sent} of ${long.length}`);
  });
}
