import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { acceptsCoding } from '../../../../coordinator/platform/http/field-values.ts';
import { testApp } from '../../../support/app.ts';

// Its links are good for a minute, by a clock that stands still.
const opened = await testApp({ after }, { now: new Date('2026-05-02T10:00:00Z') });
const csv = `day,price\n${Array.from({ length: 200_000 }, (_, at) => `2026-05-01,${at}.25\n`).join('')}`;
const stored = async (content: Buffer): Promise<{ key: string }> =>
  opened.platform.artifacts.put(content, { contentType: 'application/gzip', extension: 'gz' });
const { key } = await stored(gzipSync(csv));
const linkTo = async (object: string, fileName: string): Promise<string> =>
  (await opened.platform.artifacts.signedUrl(object, { fileName, lifetimeSeconds: 60 })).replace(
    'http://coordinator.test',
    '',
  );
const path = await linkTo(key, 'gpu-rental-2026-05.csv');
const get = (headers: Record<string, string> = {}, url = path) => opened.app.request(url, { headers });

test('a plain GET of packed CSV gets plain CSV under a plain name', async () => {
  for (const headers of [{}, { 'accept-encoding': 'identity' }, { 'accept-encoding': 'br, gzip;q=0' }]) {
    const answer = await get(headers);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-encoding'), null);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
    assert.match(answer.headers.get('content-disposition') ?? '', /filename="gpu-rental-2026-05\.csv"/);
    assert.ok((await answer.text()) === csv);
  }
});

test('a client that takes gzip gets it as stored, and says so with Content-Encoding', async () => {
  const answer = await get({ 'accept-encoding': 'gzip, deflate, br' });
  assert.equal(answer.headers.get('content-encoding'), 'gzip');
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.equal(answer.headers.get('content-length'), String(bytes.length));
  assert.ok(bytes.length < csv.length);
  assert.ok(gunzipSync(bytes).toString() === csv);
});

test('the two forms have tags of their own, and each tells a client that it has it', async () => {
  const tagOf = async (headers: Record<string, string>): Promise<string> =>
    (await get(headers)).headers.get('etag') ?? '';
  const [plain, packed] = [await tagOf({}), await tagOf({ 'accept-encoding': 'gzip' })];
  assert.notEqual(plain, packed);
  assert.equal((await get({ 'if-none-match': plain })).status, 304);
  assert.equal((await get({ 'if-none-match': packed })).status, 200);
  assert.equal((await get({ 'if-none-match': packed, 'accept-encoding': 'gzip' })).status, 304);
});

test('a stored file that is cut off never comes as a whole CSV', async () => {
  const small = await stored(gzipSync('day,price\n2026-05-01,2.5\n'));
  const link = await linkTo(small.key, 'small.csv');
  await truncate(join(opened.platform.config.dataDir, 'artifacts', small.key), 30);
  assert.equal((await get({}, link)).status, 500);
});

test('other packed files come as they are', async () => {
  const answer = await get({}, await linkTo(key, 'backup.gz'));
  assert.equal(answer.headers.get('content-type'), 'application/gzip');
  assert.ok(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString() === csv);
});

test('gzip is taken where it or * is named with a weight above 0', () => {
  for (const yes of ['gzip', 'br, GZIP;q=0.5', 'x-gzip', '*', 'identity;q=0, *;q=0.1'])
    assert.equal(acceptsCoding(yes, 'gzip'), true, yes);
  for (const no of [undefined, '', 'br', 'gzip;q=0', 'gzip;q=0, *', 'gzip;q=much', 'identity'])
    assert.equal(acceptsCoding(no, 'gzip'), false, String(no));
});
