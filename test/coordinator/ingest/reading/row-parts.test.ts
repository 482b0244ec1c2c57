import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CsvRecord } from '../../../../coordinator/ingest/reading/csv-records.ts';
import { CsvRow } from '../../../../coordinator/ingest/reading/csv-row.ts';

type Column = `c${number}`;

const rowOf = (width: number, varying: readonly number[]): CsvRow<Column> =>
  new CsvRow<Column>(Object.fromEntries(Array.from({ length: width }, (_, at) => [`c${at}`, at])), {
    width,
    varying: varying.map((at): Column => `c${at}`),
  });

const cell = fc.constantFrom('', 'a', 'bb', ' x ', '2.99');

test('any row gives the cells that it has, and two rows share what stands for the rest where all other cells agree', () => {
  const table = fc.integer({ min: 1, max: 7 }).chain((width) =>
    fc.record({
      width: fc.constant(width),
      varying: fc.uniqueArray(fc.integer({ min: 0, max: width - 1 }), { minLength: 1 }),
      // One cell fewer or more too: such rows are told, and never taken for a whole one.
      rows: fc.array(fc.array(cell, { minLength: Math.max(1, width - 1), maxLength: width + 1 }), { maxLength: 30 }),
    }),
  );
  fc.assert(
    fc.property(table, ({ width, varying, rows }) => {
      const row = rowOf(width, varying);
      const rests = new Map<object, string>();
      for (const cells of rows) {
        row.take(new CsvRecord(cells.join(','), null));
        assert.equal(row.isWhole, cells.length === width, cells.join());
        if (!row.isWhole) continue;
        assert.deepEqual(
          cells.map((_, at) => row.cell(`c${at}`)),
          cells.map((text) => text.trim()),
        );
        const shared = row.once(() => ({}));
        const others = JSON.stringify(cells.filter((_, at) => !varying.includes(at)));
        assert.equal(rests.get(shared) ?? others, others);
        rests.set(shared, others);
      }
      assert.equal(new Set(rests.values()).size, rests.size, 'one for each');
    }),
    { numRuns: 2000, seed: 20261124 },
  );
});

test('quoted rows share it by their cells', () => {
  const row = rowOf(3, [0]);
  const rest = (text: string, quoted: string[] | null): object => {
    row.take(new CsvRecord(text, quoted));
    assert.ok(row.isWhole);
    return row.once(() => ({}));
  };
  assert.equal(rest('1,"a",b', ['1', 'a', 'b']), rest('2,a,"b"', ['2', 'a', 'b']));
  assert.notEqual(rest('1,"a,b",c', ['1', 'a,b', 'c']), rest('1,a,"b,c"', ['1', 'a', 'b,c']));
});
