import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvRecords } from '../../../../coordinator/ingest/reading/csv-records.ts';
import { pieces, sourceOf } from '../read-source.ts';

/** What spreadsheets and people put into cells; blanks and line ends too, in quotes. */
const cell = fc.oneof(
  fc.constantFrom('', 'H100', '2.5', '日本', 'ä', '"', ',', '\n', '\r\n', 'a "b", c', ' x ', "'", ';', '\uFEFF'),
  fc.string({ maxLength: 8, unit: 'binary' }),
);
/** Two cells a row at least: one empty cell alone is an empty line, which is skipped. */
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }));

const written = (text: string, always: boolean): string =>
  always || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

test('any table comes back as it was written, with and without quotes, parted anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      async (rows, end, always, lastEnd, mark, size) => {
        // A first cell that begins with the mark would lose it, and so it may.
        fc.pre(!rows[0]?.[0]?.startsWith('\uFEFF'));
        const lines = rows.map((row) => row.map((text) => written(text, always)).join(','));
        const bytes = Buffer.from((mark ? '\uFEFF' : '') + lines.join(end) + (lastEnd ? end : ''));
        const file = { ...sourceOf('any.csv', ''), content: pieces(bytes, size) };
        const read = (await Array.fromAsync(csvRecords(file))).flat().map(({ cells }) => cells);
        assert.deepEqual(read, JSON.parse(JSON.stringify(rows)));
      },
    ),
    { numRuns: 400, seed: 20261122 },
  );
});

test('a file without quotes and the same file quoted give the same rows, empty lines and missing cells among them', async () => {
  const plain = 'a,b\n1,2\n\n3\n4,5,6\r\n7,8';
  const quoted = plain.replace('1,2', '"1",2');
  const read = async (text: string): Promise<string[][]> =>
    (await Array.fromAsync(csvRecords(sourceOf('a.csv', text)))).flat().map(({ cells }) => [...cells]);
  assert.deepEqual(await read(plain), [['a', 'b'], ['1', '2'], ['3'], ['4', '5', '6'], ['7', '8']]);
  assert.deepEqual(
    (await read(quoted)).map((row) => row.map((text) => text.trim())),
    await read(plain),
  );
});

test('a line without an end does not take the memory of the whole file', async () => {
  const content = pieces(Buffer.alloc(3 * 1024 ** 2, 'x'), 65_536);
  await assert.rejects(
    Array.fromAsync(csvRecords({ ...sourceOf('a.csv', ''), content })),
    /^FormatError: a\.csv: is not a table: in its first line the row is longer/,
  );
});
