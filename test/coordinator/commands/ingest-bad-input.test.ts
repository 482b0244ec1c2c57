import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { zipOf } from '../../support/zip-of.ts';
import { marketCommands } from '../market/market-commands.ts';

const head = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour';
const row = (change: Partial<Record<'date' | 'provider' | 'model' | 'count' | 'price', string>> = {}): string => {
  const { date = '2025-03-10', provider = 'Lambda', model = 'H100 SXM', count = '8', price = '2.5' } = change;
  return [date, provider, model, count, 'on_demand', price].join(',');
};
const table = (...rows: string[]): string => `${[head, ...rows].join('\n')}\n`;
/** So many rows that thousands are on their way to the database when the end turns out to be missing. */
const long = table(...Array.from({ length: 30_000 }, (_, at) => row({ price: String(1 + at / 10_000) })));

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  for (let byte = at; byte < at + 8; byte += 1) copy[byte] = (copy[byte] ?? 0) ^ 0xff;
  return copy;
};
const packed = gzipSync(long);

/** What the file holds, and what is said of it behind its name. */
const wholeFiles: Record<string, [content: string | Buffer, sentence: RegExp]> = {
  'JSON instead of CSV': [
    JSON.stringify([{ date: '2025-03-10', provider: 'Lambda' }]),
    /^: is not a table: in its first line /,
  ],
  'the CSV of another source': [
    'date,product,condition,price\n2025-03-10,NVIDIA H100 PCIe 80GB,new,24990\n',
    /^: is not of this format: it has no column provider, gpu_model, gpu_count, usd_per_gpu_hour or usd_per_hour, pricing or price_type; its columns are date, product, condition, price$/,
  ],
  'an HTML page': [
    '<!DOCTYPE html>\n<html>\n<title>Not found</title>\n</html>\n',
    /^: is not of this format: it has no column date, /,
  ],
  'a gzip cut off': [packed.subarray(0, -9), /^: is cut off: the gzip ends before its end mark$/],
  'a gzip with flipped bytes': [flipped(packed, packed.length >> 1), /^: is a damaged gzip file$/],
  'a zip cut off': [zipOf({ 'prices.csv': long }).subarray(0, -30), /^: is cut off or not a whole zip file \(/],
  'a zip with flipped bytes': [
    flipped(zipOf({ 'prices.csv': long }), 5000),
    /^\/prices\.csv: (cannot be unpacked|is damaged)/,
  ],
  'a zip with another checksum': [zipOf({ 'prices.csv': long }, 1), /^\/prices\.csv: is damaged: its checksum/],
  'a header alone': [table(), /^: has no rows$/],
  'nothing at all': ['', /^: is empty$/],
  'blank lines': ['\n\n', /^: is empty$/],
  'the price instead of the count': [
    table(row({ count: '2.39', price: '8' }), row({ count: '1.19', price: '4' })),
    /^: the column gpu_count does not hold counts \(such as "1\.19"\): are columns swapped\?$/,
  ],
  'the model instead of the price': [
    table(row({ model: '2.5', price: 'H100 SXM' })),
    /^: the column usd_per_gpu_hour does not hold numbers \(such as "H100 SXM"\): are columns swapped\?$/,
  ],
  'the provider instead of the date': [
    table(row({ date: 'Lambda', provider: '2025-03-10' })),
    /^: the column date does not hold dates \(such as "Lambda"\): are columns swapped\?$/,
  ],
  'an end inside a quoted cell': [
    long + row({ model: '"H100' }),
    /^, row 30001: the file ends inside a quoted cell: it is cut off, or a quote is missing$/,
  ],
  'Latin-1': [
    Buffer.concat([Buffer.from(table(row(), row())), Buffer.from(row({ provider: 'Zürich Cloud' }), 'latin1')]),
    /^, row 3: is not UTF-8 text but Latin-1 by its bytes: convert it with "iconv -f ISO-8859-1 -t UTF-8" first$/,
  ],
  'Latin-1 behind a quoted cell': [
    Buffer.concat([
      Buffer.from(table(row({ model: '"H100 SXM"' }), row())),
      Buffer.from(`${row({ provider: 'Zürich Cloud' })}\n${row()}\n`, 'latin1'),
    ]),
    /^, row 3: is not UTF-8 text but Latin-1 by its bytes: /,
  ],
  // The closing quotation mark of Windows, 0x92
  'Windows-1252': [
    Buffer.from(table(row({ provider: 'O\x92Cloud' })), 'latin1'),
    /^, row 1: is not UTF-8 text but Windows-1252 by its bytes: convert it with "iconv -f WINDOWS-1252 -t UTF-8" first$/,
  ],
  // The first byte of two alone: UTF-8 that is damaged, and no other encoding.
  'UTF-8 cut within a letter': [
    Buffer.from(`${table(row())}2025-03-10,Z\xc3`, 'latin1'),
    /^, row 2: is not UTF-8 text$/,
  ],
  'UTF-16': [
    Buffer.from(`\uFEFF${table(row())}`, 'utf16le'),
    /^: is not UTF-8 text but UTF-16 by its bytes: convert it with "iconv -f UTF-16 -t UTF-8" first$/,
  ],
};

describe('a file that is not what it should be, after a good one of the same source, part and day', async () => {
  const market = await marketCommands({ after });
  const good = table(row(), row({ price: '-1' }), row({ provider: 'Crusoe' }), row({ model: 'Abacus 9000' }));
  assert.equal((await market.command('ingest', 'observations', await market.file('prices.csv', good))).code, 0);
  for (const [name, rows] of Object.entries(await market.state())) assert.ok(rows.length > 0, name);

  /** Exit code 1, one line that begins with the file, and nothing has changed. */
  async function refused(path: string, ...argv: string[]): Promise<string> {
    const before = await market.state();
    const { code, stdout, stderr } = await market.command('ingest', ...argv);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^[^\n]+\n$/);
    assert.ok(stderr.startsWith(path), stderr);
    assert.deepEqual(await market.state(), before);
    return stderr.slice(path.length).trimEnd();
  }

  for (const [what, [content, sentence]] of Object.entries(wholeFiles)) {
    test(`${what}: one line that names the file, and everything is as before`, async () => {
      const path = await market.file('prices.csv', content);
      assert.match(await refused(path, 'observations', path), sentence);
    });
  }

  test('a file that is not there, and a folder', async () => {
    const path = await market.file('prices.csv', '');
    assert.equal(await refused(`${path}.none`, 'observations', `${path}.none`), ': there is no such file');
    assert.equal(await refused(dirname(path), 'observations', dirname(path)), ': is a folder; name a file in it');
  });

  test('JSON that ends in the middle, is a page, is of another source, or is not UTF-8', async () => {
    const sentenceOf = async (source: string, content: string | Buffer): Promise<string> => {
      const path = await market.file('prices.2025-03-10.json', content);
      return refused(path, source, path);
    };
    const offers = JSON.stringify({ offers: [{ id: 1, gpu_name: 'H100 SXM', num_gpus: 8, dph_total: 20 }] });
    for (const source of ['vast-bundles', 'ec2instances', 'azure-retail', 'runpod-gpu-types', 'gpuhunt-tpu'])
      assert.match(await sentenceOf(source, offers.slice(0, 40)), /^(, row \d+)?: is cut off or not JSON \(/, source);
    assert.match(await sentenceOf('ec2instances', '<html>\n<body>\nNot found'), /^: is cut off or not JSON \(/);
    assert.match(await sentenceOf('ec2instances', offers), /^: is not of this format: the document: /);
    const latin = 'is not UTF-8 text but Latin-1 by its bytes: convert it with "iconv -f ISO-8859-1 -t UTF-8" first';
    assert.equal(await sentenceOf('ec2instances', Buffer.from('["Zürich"]', 'latin1')), `: ${latin}`);
    assert.match(await sentenceOf('prime-intellect', Buffer.from('{"a":\n"Zürich"}', 'latin1')), /row 1: is cut off/);
    assert.equal(
      await sentenceOf('cheapest-by-provider', Buffer.from('\n{"a":"Zürich"}\n', 'latin1')),
      `, row 2: ${latin}`,
    );
  });

  test('of several files those before the bad one are kept, and those behind it are not begun', async () => {
    const [first, bad, last] = [
      await market.file('first.csv', table(row({ date: '2025-03-11' }))),
      await market.file('bad.csv', packed.subarray(0, -9)),
      await market.file('last.csv', table(row({ date: '2025-03-12' }))),
    ];
    const { code, stdout, stderr } = await market.command('ingest', 'observations', first, bad, last);
    assert.deepEqual(
      [code, stdout, stderr],
      [1, `${first}: 1 read, 1 kept (2025-03-11)\n`, `${bad}: is cut off: the gzip ends before its end mark\n`],
    );
    const days = await market.platform.sql<{ day: string }[]>`select distinct day::text from daily_price order by day`;
    assert.deepEqual(
      days.map(({ day }) => day),
      ['2025-03-10', '2025-03-11'],
    );
  });
});
