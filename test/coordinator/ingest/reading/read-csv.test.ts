import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormatError } from '../../../../coordinator/ingest/connector.ts';
import { judgeListing, unsaid } from '../../../../coordinator/ingest/judge-listing.ts';
import type { ReadRow } from '../../../../coordinator/ingest/listing.ts';
import { amountIn } from '../../../../coordinator/ingest/reading/cell-values.ts';
import { type CsvFormat, readCsv } from '../../../../coordinator/ingest/reading/read-csv.ts';
import { sourceOf, today } from '../read-source.ts';

type Column = 'gpu' | 'price' | 'note';
const format: CsvFormat<Column> = { required: ['gpu', 'price'], optional: ['note'], looks: { price: 'number' } };

async function read(text: string | Uint8Array): Promise<ReadRow[]> {
  const reader = readCsv(sourceOf('prices.csv', text), format, {
    row: (row) => [
      judgeListing(row, {
        ...unsaid,
        label: row.cell('gpu'),
        offer: row.cell('note'),
        provider: 'somebody',
        priceType: 0,
        price: amountIn(row.cell('price')) ?? NaN,
        observedAt: today,
      }),
    ],
  });
  return Array.fromAsync(reader);
}

const said = async (text: string | Uint8Array): Promise<string> => {
  try {
    await read(text);
  } catch (error) {
    assert.ok(error instanceof FormatError, String(error));
    return error.message;
  }
  return assert.fail('was read');
};
const offers = (rows: readonly ReadRow[]): unknown[] =>
  rows.map((row) => ('listing' in row ? [row.row, row.listing.label, row.listing.price, row.listing.offer] : row));

test('columns are found by name in any order, among others, behind a byte order mark', async () => {
  const rows = await read('\uFEFFother,price,gpu\r\nx,2.5,H100\r\ny,3,A100\r\n');
  assert.deepEqual(offers(rows), [
    [1, 'H100', 2.5, ''],
    [2, 'A100', 3, ''],
  ]);
});

test('quoted cells may hold commas, quotes, line ends and letters of several bytes', async () => {
  const rows = await read('gpu,price,note\n"RTX ""4090"", new",1.5,"Bács-Kiskun,\nHU"\nA100,2,日本\n');
  assert.deepEqual(offers(rows), [
    [1, 'RTX "4090", new', 1.5, 'Bács-Kiskun,\nHU'],
    [2, 'A100', 2, '日本'],
  ]);
});

test('a row with fewer or more cells than the header is refused with its number, the others are kept', async () => {
  const rows = await read('gpu,price,note\nH100,2.5,a\nA100,1.5\n\nL4,0.5,b,c\nT4,0.3,d\n');
  assert.deepEqual(offers(rows), [
    [1, 'H100', 2.5, 'a'],
    { row: 2, refused: 'cells-missing', detail: '2 cells under 3 columns' },
    { row: 3, refused: 'cells-missing', detail: '4 cells under 3 columns' },
    [4, 'T4', 0.3, 'd'],
  ]);
});

test('a missing column is an error that names the file, what is missing and what is there', async () => {
  assert.equal(
    await said('gpu,cost,note\nH100,2.5,a\n'),
    'prices.csv: is not of this format: it has no column price; its columns are gpu, cost, note',
  );
  assert.match(await said('gpu;price;note\nH100;2.5;a\n'), /no column gpu, price; its columns are gpu;price;note$/);
  assert.match(
    await said('{"gpu": "H100", "price": 2.5}\n'),
    /^prices\.csv: is not a table: in its first line there is a quote/,
  );
});

test('a column that stands there twice is an error: which one is meant cannot be told', async () => {
  assert.equal(await said('gpu,price,price\nH100,1,2\n'), 'prices.csv: has the column price twice');
});

test('swapped columns are found by what is in them, in a short file and early in a long one', async () => {
  const sentence = /prices\.csv: the column price does not hold numbers \(such as "H100"\): are columns swapped\?$/;
  assert.match(await said('price,gpu\nH100,2.5\nH100,1.5\n'), sentence);
  let taken = 0;
  const long = `price,gpu\n${'H100,2.5\n'.repeat(5000)}`;
  const rows = readCsv(sourceOf('prices.csv', long), format, { row: () => ((taken += 1), []) });
  await assert.rejects(Array.fromAsync(rows), sentence);
  assert.ok(taken < 200, `${taken} rows were taken before`);
});

test('some cells that are not numbers do not make a file another format: they are refused one by one', async () => {
  const rows = await read('gpu,price\nH100,2.5\nA100,call us\nL4,-0.5\nT4,0.3\n');
  assert.deepEqual(
    rows.map((row) => ('refused' in row ? `${row.row} ${row.refused} ${row.detail}` : row.row)),
    [1, '2 bad-price price NaN', '3 bad-price price -0.5', 4],
  );
});

test('a file that ends inside a quoted cell is cut off, which is an error with the row', async () => {
  assert.match(await said('gpu,price,note\nH100,2.5,a\nA100,1.5,"open\nL4,0.5,b\n'), /^prices\.csv, row 2: .*cut off/);
});

test('a broken quote is an error with the row', async () => {
  assert.match(await said('gpu,price,note\nH100,2.5,a\nA100,1.5,"a"b\n'), /^prices\.csv, row 2: there is text after/);
  assert.match(await said('gpu,price,note\nH"100,2.5,a\n'), /^prices\.csv, row 1: there is a quote in the middle/);
});

test('a quote that is never closed does not take the memory of the rest of the file', async () => {
  const text = `gpu,price,note\nH100,2.5,"${'x'.repeat(3 * 1024 ** 2)}\n`;
  const rows = readCsv({ ...sourceOf('prices.csv', ''), content: once(Buffer.from(text)) }, format, { row: () => [] });
  await assert.rejects(Array.fromAsync(rows), /row 1: the row is longer than 1048576 bytes/);
});

test('an empty file is an error, a header alone is a file without rows', async () => {
  assert.equal(await said(''), 'prices.csv: is empty');
  assert.deepEqual(await read('gpu,price\n'), []);
});

test('what goes wrong while the content comes is not taken for a fault of the file', async () => {
  const broken = (async function* () {
    yield Buffer.from('gpu,price\nH100,');
    throw new Error('the disk is gone');
  })();
  const rows = readCsv({ ...sourceOf('prices.csv', ''), content: broken }, format, { row: () => [] });
  await assert.rejects(Array.fromAsync(rows), (error: Error) => error.message === 'the disk is gone');
});

test('a reader that stops early lets go of the source', async () => {
  let open = true;
  const content = (async function* () {
    try {
      yield Buffer.from('gpu,price\nH100,1\n');
      for (;;) yield Buffer.from('A100,2\n');
    } finally {
      open = false;
    }
  })();
  for await (const row of readCsv({ ...sourceOf('prices.csv', ''), content }, format, {
    row: ({ number }) => [refused(number)],
  })) {
    if (row.row === 10) break;
  }
  assert.equal(open, false);
});

const refused = (row: number): ReadRow => ({ row, refused: 'no-price', detail: '' });
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
