import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { AwsClient } from 'aws4fetch';
import { createArtifactStore } from '../../../../coordinator/platform/artifacts/create-artifact-store.ts';
import type { S3Settings } from '../../../../coordinator/platform/artifacts/s3/s3-settings.ts';
import { testClock } from '../../../support/clock.ts';
import { makeDataDir, removeDataDir } from '../../../support/data-dir.ts';
import { freshDatabase, type FreshDatabase } from '../../../support/postgres.ts';
import { startRadosgw, whyNoRadosgw, type ObjectStore } from '../../../support/radosgw.ts';
import { content, contentOf, inPieces, pdf, storeCases, type OpenedStore } from './store-cases.ts';

const gz = { contentType: 'application/gzip', extension: 'gz' };

describe('artifacts in a bucket', { skip: whyNoRadosgw }, () => {
  const closers: (() => Promise<void>)[] = [];
  let server: ObjectStore;
  let buckets = 0;
  before(async () => {
    server = await startRadosgw({ after: (close) => void closers.push(close) });
  });
  after(async () => {
    for (const close of closers.toReversed()) await close();
  });

  async function openStore(
    t: TestContext,
    changed: Partial<S3Settings> = {},
    now = new Date(),
  ): Promise<OpenedStore & { settings: S3Settings; folder: string; client: AwsClient }> {
    const folder = await makeDataDir();
    t.after(() => removeDataDir(folder));
    const made = await server.bucket(`test-${(buckets += 1)}`);
    const settings = { ...made, ...changed };
    // The store compares its own clock with the one of a signature.
    const clock = testClock(now);
    const config = { dataDir: folder, s3: settings, publicUrl: 'https://gpumark.test' };
    const open = ({ sql }: FreshDatabase) => createArtifactStore(config, { sql, now: clock.now, randomBytes });
    const database = await freshDatabase(t);
    const client = new AwsClient({ ...made, sessionToken: '', service: 's3', region: made.region });
    const url = `${made.endpoint}/${made.bucket}`;
    return {
      store: await open(database),
      clock,
      settings,
      folder,
      client,
      list: async () => {
        const text = await (await client.fetch(`${url}?list-type=2`)).text();
        return [...text.matchAll(/<Key>artifacts\/([^<]+)<\/Key>/g)].map(([, key = '']) => key);
      },
      damage: async (key, bytes) => {
        await client.fetch(`${url}/artifacts/${key}`, { method: 'PUT', body: new Uint8Array(bytes) });
      },
      again: () => open(database),
      stranger: async () => open(await freshDatabase(t)),
    };
  }

  storeCases(openStore);

  test('40 MB go up in three parts and come back whole; nothing of it stays on the disk', async (t) => {
    const { store, settings, folder, client } = await openStore(t);
    const long = randomBytes(40_000_000);
    const stored = await store.put(inPieces(long, 999_983), gz);
    assert.equal(stored.sizeBytes, 40_000_000);
    const head = await client.fetch(`${settings.endpoint}/${settings.bucket}/artifacts/${stored.key}`, {
      method: 'HEAD',
    });
    // 16 MiB twice and the rest; a tag with a count is that of an upload in parts
    assert.match(head.headers.get('etag') ?? '', /-3"$/);
    assert.ok((await contentOf(store, stored.key)).equals(long));
    assert.deepEqual(await readdir(join(folder, 'outgoing')), []);
  });

  test('an upload in parts that fails leaves no part behind', async (t) => {
    const { store, settings, client } = await openStore(t);
    await server.admin('quota', 'set', '--quota-scope=bucket', `--bucket=${settings.bucket}`, '--max-size=20000000');
    await server.admin('quota', 'enable', '--quota-scope=bucket', `--bucket=${settings.bucket}`);
    // Four parts are under way at a time, and the gateway counts what has arrived: the later ones find the bucket full.
    await assert.rejects(
      store.put(inPieces(randomBytes(160_000_000), 1_000_000), gz),
      /the bucket is full: raise its quota/,
    );
    const left = await (await client.fetch(`${settings.endpoint}/${settings.bucket}?uploads`)).text();
    assert.doesNotMatch(left, /<UploadId>/);
  });

  test('links to the store open with a plain GET under their name, and not when altered or over; packed CSV stays ours', async (t) => {
    const { store } = await openStore(t, { linksToStore: true });
    const { key } = await store.put(content, pdf);
    const url = await store.signedUrl(key, { fileName: 'Bericht Ω.pdf', lifetimeSeconds: 60 });
    const answer = await fetch(url);
    assert.equal(answer.status, 200);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content);
    assert.equal(answer.headers.get('content-type'), 'application/pdf');
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; .*filename\*=UTF-8''Bericht%20%CE%A9\.pdf$/,
    );
    assert.equal((await fetch(url.replace('.pdf?', '.pdg?'))).status, 403);
    assert.equal((await fetch(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'))).status, 403);
    const past = await openStore(t, { linksToStore: true }, new Date(Date.now() - 120_000));
    const { key: early } = await past.store.put(content, pdf);
    assert.equal(
      (await fetch(await past.store.signedUrl(early, { fileName: 'a.pdf', lifetimeSeconds: 60 }))).status,
      403,
    );
    const packed = await store.put(Buffer.from('gzip'), gz);
    assert.match(
      await store.signedUrl(packed.key, { fileName: 'a.csv', lifetimeSeconds: 60 }),
      /^https:\/\/gpumark\.test\/artifacts\//,
    );
  });

  test('what is wrong is said in words that name the setting, and never a secret', async (t) => {
    const cases: [Partial<S3Settings>, Date, RegExp][] = [
      [{ accessKeyId: 'NOBODY' }, new Date(), /AWS_ACCESS_KEY_ID/],
      [{ secretAccessKey: 'not the secret' }, new Date(), /AWS_SECRET_ACCESS_KEY/],
      [{ bucket: 'no-such-bucket' }, new Date(), /there is no such bucket: make it, or correct ARTIFACT_URL/],
      [{ endpoint: 'http://127.0.0.1:9' }, new Date(), /nothing listens there|the connection failed|the error is/],
      [{}, new Date(Date.now() - 20 * 60_000), /the clocks differ by more than 15 minutes|refuses/],
    ];
    for (const [changed, now, expected] of cases) {
      const { store, settings } = await openStore(t, changed, now);
      await assert.rejects(store.put(content, pdf), (error: Error) => {
        assert.match(error.message, /^The object store http:\/\/127\.0\.0\.1:\d+, bucket "[\w-]+", cannot be used: /);
        assert.match(error.message, expected);
        assert.ok(!error.message.includes(settings.secretAccessKey));
        return true;
      });
    }
  });

  test('a full bucket refuses what is new and gives what is there', async (t) => {
    const { store, settings } = await openStore(t);
    const { key } = await store.put(content, pdf);
    await server.admin('quota', 'set', '--quota-scope=bucket', `--bucket=${settings.bucket}`, '--max-objects=1');
    await server.admin('quota', 'enable', '--quota-scope=bucket', `--bucket=${settings.bucket}`);
    await assert.rejects(store.put(Buffer.from('one more'), pdf), /the bucket is full: raise its quota/);
    assert.deepEqual(await contentOf(store, key), content);
  });
});
