import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { unpack } from '../../../../coordinator/ingest/reading/unpack.ts';
import { zipOf } from '../../../support/zip-of.ts';
import { pieces } from '../read-source.ts';

async function unpacked(name: string, bytes: Uint8Array, limit?: number): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const part of unpack({ name, content: pieces(bytes, 50) }, limit)) {
    files[part.name] = Buffer.concat(await Array.fromAsync(part.content)).toString();
  }
  return files;
}

const text = 'gpu,price\n'.repeat(500);

test('what is not packed comes as it is, whatever its name says', async () => {
  assert.deepEqual(await unpacked('a.csv.gz', Buffer.from(text)), { 'a.csv.gz': text });
  assert.deepEqual(await unpacked('a.csv', Buffer.from('')), { 'a.csv': '' });
  assert.deepEqual(await unpacked('a.csv', Buffer.from('P')), { 'a.csv': 'P' });
});

test('a gzip is known by its first bytes, also one of several members', async () => {
  assert.deepEqual(await unpacked('a.csv', gzipSync(text)), { 'a.csv': text });
  assert.deepEqual(await unpacked('a.csv', Buffer.concat([gzipSync('one,'), gzipSync('two')])), { 'a.csv': 'one,two' });
});

test('a gzip cut off or damaged is an error in plain words', async () => {
  const whole = gzipSync(text);
  await assert.rejects(
    unpacked('a.csv.gz', whole.subarray(0, -9)),
    /^FormatError: a\.csv\.gz: is cut off: the gzip ends before its end mark$/,
  );
  const damaged = Buffer.from(whole);
  damaged.set([0xff, 0xff, 0xff], 14);
  await assert.rejects(unpacked('a.csv.gz', damaged), /^FormatError: a\.csv\.gz: is a damaged gzip file$/);
});

test('the files of a zip come one after the other under the name of the zip; folders and litter are left out', async () => {
  const bytes = zipOf({ 'aws.csv': text, 'more/': '', 'more/gcp.csv': 'b', '__MACOSX/aws.csv': 'x', '.DS_Store': 'x' });
  assert.deepEqual(await unpacked('catalog.zip', bytes), {
    'catalog.zip/aws.csv': text,
    'catalog.zip/more/gcp.csv': 'b',
  });
});

test('a zip cut off, empty, or with a wrong checksum is an error in plain words', async () => {
  const whole = zipOf({ 'aws.csv': text });
  await assert.rejects(
    unpacked('c.zip', whole.subarray(0, -30)),
    /^FormatError: c\.zip: is cut off or not a whole zip file \(/,
  );
  await assert.rejects(unpacked('c.zip', zipOf({})), /^FormatError: c\.zip: is a zip without files in it$/);
  const wrong = zipOf({ 'aws.csv': text }, 1);
  await assert.rejects(unpacked('c.zip', wrong), /^FormatError: c\.zip\/aws\.csv: is damaged: its checksum/);
});

test('reading stops at the limit of unpacked bytes, for gzip and for zip', async () => {
  const bomb = gzipSync('0'.repeat(5_000_000));
  await assert.rejects(unpacked('a.gz', bomb, 1_000_000), /a\.gz: unpacks to more than 1000000 bytes/);
  await assert.rejects(
    unpacked('a.zip', zipOf({ 'a.csv': '0'.repeat(5_000_000) }), 1_000_000),
    /a\.zip\/a\.csv: unpacks to more/,
  );
});

test('the files of a zip count together: many small ones are not read beyond the limit of one', async () => {
  const parts = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${at}.csv`, '0'.repeat(300_000)]));
  await assert.rejects(
    unpacked('a.zip', zipOf(parts), 1_000_000),
    /a\.zip\/3\.csv: unpacks to more than 1000000 bytes/,
  );
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`${at}.csv`, '']));
  await assert.rejects(unpacked('a.zip', zipOf(many)), /a\.zip: is a zip with more than 1000 files$/);
});

test('reading of a bomb stops long before any size limit, for gzip and for zip', async () => {
  const zeros = Buffer.alloc(40 * 1024 ** 2);
  const sentence = /unpacks to more than 300 times its size; reading stops there$/;
  await assert.rejects(unpacked('a.gz', gzipSync(zeros)), sentence);
  await assert.rejects(unpacked('a.zip', zipOf({ 'a.csv': zeros.toString('latin1') })), sentence);
});

test('what is packed within a packed file is not unpacked', async () => {
  const twice = await unpacked('a.gz', gzipSync(gzipSync(text)));
  assert.notEqual(twice['a.gz'], text);
});

test('names within a zip bring no control characters into what is shown', async () => {
  assert.deepEqual(Object.keys(await unpacked('a.zip', zipOf({ 'b\u001b[2J\n.csv': 'x' }))), ['a.zip/b?[2J?.csv']);
});

test('an error of the source is passed on as it is', async () => {
  const content = (async function* () {
    yield gzipSync(text).subarray(0, 30);
    throw new Error('the line is dead');
  })();
  const parts = unpack({ name: 'a.gz', content });
  await assert.rejects(
    async () => {
      for await (const part of parts) await Array.fromAsync(part.content);
    },
    (error: Error) => error.message === 'the line is dead',
  );
});

test('a reader that stops early lets go of the source, packed or not', async () => {
  for (const packed of [gzipSync(text.repeat(2000)), Buffer.from(text.repeat(2000))]) {
    const source = { open: true };
    const content = (async function* () {
      try {
        yield* pieces(packed, 1000);
        for (;;) yield Buffer.from('x');
      } finally {
        source.open = false;
      }
    })();
    for await (const part of unpack({ name: 'a', content })) {
      for await (const chunk of part.content) if (chunk.length > 0) break;
    }
    for (let turns = 0; source.open && turns < 100; turns += 1) await new Promise((done) => setImmediate(done));
    assert.equal(source.open, false);
  }
});
