import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testApp } from '../../../support/app.ts';

const content = Buffer.from('%PDF-1.7 a report');
const opened = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { key } = await opened.platform.artifacts.put(content, { contentType: 'application/pdf', extension: 'pdf' });
const options = { fileName: 'Übersicht "1".pdf', lifetimeSeconds: 60 };
const path = (await opened.platform.artifacts.signedUrl(key, options)).replace('http://coordinator.test', '');

test('the file opens without a bearer token, as a download that cannot be sniffed', async () => {
  const response = await opened.app.request(path);
  assert.equal(response.status, 200);
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), content);
  assert.equal(response.headers.get('content-type'), 'application/pdf');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(
    response.headers.get('content-disposition'),
    `attachment; filename="_bersicht _1_.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.pdf`,
  );
  assert.match(response.headers.get('etag') ?? '', /^"[0-9a-f]{64}"$/);
});

test('a file of several pieces comes whole, with its length', async () => {
  const long = Buffer.alloc(2_500_001, 'price,');
  const stored = await opened.platform.artifacts.put(long, { contentType: 'application/gzip', extension: 'gz' });
  const url = await opened.platform.artifacts.signedUrl(stored.key, options);
  const response = await opened.app.request(url.replace('http://coordinator.test', ''));
  assert.equal(response.headers.get('content-length'), '2500001');
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), long);
});

test('a damaged file is a failure, and no part of it', async () => {
  const stored = await opened.platform.artifacts.put(Buffer.from('soon damaged'), {
    contentType: 'application/pdf',
    extension: 'pdf',
  });
  await writeFile(join(opened.platform.config.dataDir, 'artifacts', stored.key), 'damaged now!');
  const url = await opened.platform.artifacts.signedUrl(stored.key, options);
  const response = await opened.app.request(url.replace('http://coordinator.test', ''));
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /damaged now/);
});

test('a client that has the file is told so', async () => {
  const { headers } = await opened.app.request(path);
  const again = await opened.app.request(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  assert.equal(again.status, 304);
  assert.equal((await again.arrayBuffer()).byteLength, 0);
});

test('an altered link and a cut link are clear errors', async () => {
  const altered = await opened.app.request(path.replace('.pdf&', '.exe&'));
  assert.equal(altered.status, 403);
  assert.match(JSON.stringify(await altered.json()), /PERMISSION_DENIED.*not valid/);
  const cut = await opened.app.request(path.slice(0, -10));
  assert.equal(cut.status, 400);
  const bare = await opened.app.request(path.split('?')[0] ?? '');
  assert.equal(bare.status, 400);
});

test('a path that leaves the store is not found', async () => {
  const query = path.split('?')[1] ?? '';
  for (const object of ['sha256/../../../etc/passwd', 'sha256/%2e%2e/%2e%2e/etc', 'sha256/ab/..%2f..%2fx.pdf']) {
    const response = await opened.app.request(`/artifacts/${object}?${query}`);
    assert.ok([400, 404].includes(response.status), `${object}: ${response.status}`);
  }
});

test('an expired link says so', async () => {
  opened.clock.advance({ seconds: 60 });
  const response = await opened.app.request(path);
  assert.equal(response.status, 403);
  assert.match(JSON.stringify(await response.json()), /PERMISSION_DENIED.*expired/);
});
