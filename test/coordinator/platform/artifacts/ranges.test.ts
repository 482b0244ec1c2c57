import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { testApp } from '../../../support/app.ts';

const opened = await testApp({ after });
const { url: base } = await opened.listen();

interface Stored {
  url: string;
  /** What a plain GET sends. */
  content: Buffer;
  key: string;
}

async function stored(fileName: string, content: Buffer): Promise<Stored> {
  const isPacked = fileName.endsWith('.csv');
  const { key } = await opened.platform.artifacts.put(isPacked ? gzipSync(content) : content, {
    contentType: 'application/octet-stream',
    extension: isPacked ? 'gz' : 'pdf',
  });
  const link = await opened.platform.artifacts.signedUrl(key, { fileName, lifetimeSeconds: 600 });
  return { url: link.replace('http://coordinator.test', base), content, key };
}

const report = await stored('report.pdf', randomBytes(2_500_000));
const csv = await stored('prices.csv', Buffer.from(randomBytes(1_500_000).toString('base64')));
const get = (url: string, headers: Record<string, string>, method = 'GET') => fetch(url, { method, headers });

for (const [name, { url, content }] of Object.entries({ report, 'packed CSV': csv })) {
  const total = content.length;
  test(`206: a range of a ${name} is that part of what a plain GET sends`, async () => {
    const plain = { 'accept-encoding': 'identity' };
    const ranges: [asked: string, first: number, last: number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=1048570-1048580', 1_048_570, 1_048_580],
      ['bytes=1000000-', 1_000_000, total - 1],
      ['bytes=-7', total - 7, total - 1],
      [`bytes=${total - 1}-${total + 9}`, total - 1, total - 1],
    ];
    for (const [range, first, last] of ranges) {
      const answer = await get(url, { ...plain, range });
      assert.equal(answer.status, 206, range);
      assert.equal(answer.headers.get('content-range'), `bytes ${first}-${last}/${total}`);
      assert.equal(answer.headers.get('content-length'), String(last - first + 1));
      assert.ok(Buffer.from(await answer.arrayBuffer()).equals(content.subarray(first, last + 1)), range);
    }
  });

  test(`416: a range beyond the end of a ${name} names its length`, async () => {
    const answer = await get(url, { 'accept-encoding': 'identity', range: `bytes=${total}-` });
    assert.equal(answer.status, 416);
    assert.equal(answer.headers.get('content-range'), `bytes */${total}`);
    assert.match(JSON.stringify(await answer.json()), /RANGE_NOT_SATISFIABLE.*begins beyond the end/);
  });

  test(`curl resumes a ${name}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'gpumark-resume-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'file');
    await writeFile(path, content.subarray(0, 1_234_567));
    await promisify(execFile)('curl', ['-sS', '--fail', '-C', '-', '-o', path, url]);
    assert.ok((await readFile(path)).equals(content));
  });
}

test('a range of packed CSV that is asked for in gzip is one of the packed bytes', async () => {
  const packed = gzipSync(csv.content);
  const answer = await get(csv.url, { 'accept-encoding': 'gzip', range: 'bytes=0-0' });
  assert.equal(answer.status, 206);
  assert.equal(answer.headers.get('content-range'), `bytes 0-0/${packed.length}`);
});

test('If-Range honours the range of the same content alone; If-None-Match goes before a range; HEAD has none', async () => {
  const range = 'bytes=5-9';
  const tag = (await get(report.url, {}, 'HEAD')).headers.get('etag') ?? '';
  assert.equal((await get(report.url, { range, 'if-range': tag })).status, 206);
  assert.equal((await get(report.url, { range, 'if-range': '"other"' })).status, 200);
  assert.equal((await get(report.url, { range, 'if-none-match': `"other", W/${tag}` })).status, 304);
  assert.equal((await get(report.url, { 'if-none-match': '*' })).status, 304);
  const head = await get(report.url, { range }, 'HEAD');
  assert.deepEqual(
    [head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')],
    [200, '2500000', 'bytes'],
  );
  assert.equal((await get(report.url, { range: 'bytes=0-1,4-5' })).status, 200);
});

test('a damaged file gives no range, so that resuming never completes it', async () => {
  const soon = await stored('soon.pdf', randomBytes(2_000_000));
  await writeFile(join(opened.platform.config.dataDir, 'artifacts', soon.key), randomBytes(2_000_000));
  assert.equal((await get(soon.url, { range: 'bytes=1500000-' })).status, 500);
  // A file that was good and is damaged later is another version of it.
  assert.equal((await get(report.url, { range: 'bytes=1-' })).status, 206);
  await writeFile(join(opened.platform.config.dataDir, 'artifacts', report.key), randomBytes(2_500_000));
  assert.equal((await get(report.url, { range: 'bytes=1-' })).status, 500);
});

test('a link has a limit of its own for each address, and one that is refused counts against the address', async () => {
  const limited = await testApp(
    { after },
    { environment: { RATE_LIMITS: 'on', RATE_LIMIT_LINK: '1/3', RATE_LIMIT_ADDRESS: '1/2', TRUSTED_PROXIES: '1' } },
  );
  const links = await Promise.all(
    ['first', 'second'].map(async (text) => {
      const { key } = await limited.platform.artifacts.put(Buffer.from(text), {
        contentType: 'application/pdf',
        extension: 'pdf',
      });
      return (await limited.platform.artifacts.signedUrl(key, { fileName: 'report.pdf', lifetimeSeconds: 60 })).replace(
        'http://coordinator.test',
        '',
      );
    }),
  );
  const [first = '', second = ''] = links;
  const ask = async (path: string, address: string) =>
    limited.app.request(path, { headers: { 'x-forwarded-for': address } });
  const statuses = async (path: string, address: string, times: number) => {
    const found: number[] = [];
    for (let at = 0; at < times; at += 1) found.push((await ask(path, address)).status);
    return found;
  };
  assert.deepEqual(await statuses(first, '198.51.100.1', 4), [200, 200, 200, 429]);
  assert.deepEqual(await statuses(first, '198.51.100.2', 1), [200]);
  assert.deepEqual(await statuses(second, '198.51.100.1', 1), [200]);
  const refused = await ask(first, '198.51.100.1');
  assert.match(await refused.text(), /at most 1 a minute, 3 of them at once, for one link from one address/);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.match((await ask(second, '198.51.100.1')).headers.get('ratelimit-policy') ?? '', /^"link";q=1;w=60$/);
  assert.deepEqual(await statuses(`${first.slice(0, -3)}abc`, '198.51.100.1', 3), [403, 403, 429]);
});
