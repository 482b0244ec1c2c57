import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { pcPart } from '../../../../coordinator/ingest/connectors/pc-part.ts';
import {
  count,
  csvRows,
  failure,
  fixture,
  readAll,
  readShared,
  sharedPath,
  sourceOf,
  today,
  withoutShared,
} from '../read-source.ts';
import { moreFiles, realFiles } from '../real-files.ts';

test('a card of the table is a new one in the US, its chipset the label; rows without a price are refused', async () => {
  const { listings, lines } = await readAll(pcPart, sourceOf('video-card.csv', fixture('pc-part.csv')));
  assert.deepEqual(listings[0], {
    label: 'GeForce RTX 3060 12GB',
    memoryGb: 12,
    formFactor: null,
    provider: 'PCPartPicker',
    region: null,
    country: 'US',
    priceType: 100,
    price: 289.24,
    currency: 'USD',
    gpuCount: 1,
    clusterSize: 1,
    offer: 'MSI GeForce RTX 3060 Ventus 2X 12G',
    observedAt: today,
  });
  assert.deepEqual(
    listings.map(({ label }) => label),
    ['GeForce RTX 3060 12GB', 'T1000'],
  );
  assert.deepEqual(lines, ['video-card.csv, row 2: no price in it (GeForce RTX 4070 Ti)']);
});

test('the older JSON is read as the same', async () => {
  const { listings, lines } = await readAll(pcPart, sourceOf('video-card.json', fixture('pc-part.json')));
  assert.deepEqual(
    listings.map(({ label, price, memoryGb }) => [label, price, memoryGb]),
    [['GeForce RTX 3060 12GB', 289.99, 12]],
  );
  assert.deepEqual(lines, ['video-card.json, row 2: no price in it (Radeon RX 6600)']);
});

test(
  'eleven editions: 22,911 rows in JSON and 42,369 in CSV, those with a price kept',
  { skip: withoutShared },
  async () => {
    const rows = { json: 0, csv: 0 };
    for (const name of realFiles['pc-part']) {
      const { listings, refused } = await readShared(pcPart, name);
      const text = gunzipSync(readFileSync(sharedPath(name))).toString();
      const json = name.includes('.json');
      const cards = json ? (JSON.parse(text) as Record<string, string | number | null>[]) : csvRows(text);
      rows[json ? 'json' : 'csv'] += cards.length;
      const priced = cards.filter(({ price }) => price !== null && price !== '');
      const expected: Record<string, number> = {};
      count(expected, 'no-price', cards.length - priced.length);
      const once = [
        ...new Map(
          priced.map((row) => [[row['name'], row['chipset'], row['memory'], Number(row['price'])].join(), row]),
        ).values(),
      ];
      count(expected, 'same-row', priced.length - once.length);
      assert.deepEqual(refused, expected, name);
      assert.deepEqual(
        listings.map(({ label, price }) => [label, price]),
        once.map(({ chipset, price }) => [chipset, Number(price)]),
      );
      assert.equal(listings[0]?.observedAt.toISOString().slice(0, 10), /\d{4}-\d{2}-\d{2}/.exec(name)?.[0]);
    }
    assert.deepEqual([realFiles['pc-part'].length, rows], [11, { json: 22_911, csv: 42_369 }]);
  },
);

test('swapped columns are found; a negative price is refused with its row', async () => {
  const table = fixture('pc-part.csv');
  assert.match(
    await failure(pcPart, sourceOf('v.csv', table.replace('price,chipset', 'chipset,price'))),
    /^v\.csv: the column price does not hold numbers \(such as "T1000"\)/,
  );
  const { lines } = await readAll(pcPart, sourceOf('v.csv', table.replace('449.99', '-449.99')));
  assert.equal(lines[1], 'v.csv, row 3: the price is not a number above 0 (price -449.99)');
});

test('JSON Lines are read as the same rows, the number of a refused one its line', async () => {
  const cards = (JSON.parse(fixture('pc-part.json')) as unknown[]).map((card) => JSON.stringify(card));
  const { listings, lines } = await readAll(pcPart, sourceOf('video-card.jsonl', `${cards.join('\n')}\n`));
  assert.deepEqual(
    listings.map(({ label, price, memoryGb }) => [label, price, memoryGb]),
    [['GeForce RTX 3060 12GB', 289.99, 12]],
  );
  assert.deepEqual(lines, ['video-card.jsonl, row 2: no price in it (Radeon RX 6600)']);
  assert.match(
    await failure(pcPart, sourceOf('video-card.jsonl', `${cards[0]}\n{"name":"x"}\n`)),
    /^video-card\.jsonl, row 2: is not of this format: price: /,
  );
});

test('the JSON Lines of a day hold the prices of its CSV', { skip: withoutShared }, async () => {
  const [path = ''] = moreFiles['pc-part'];
  const [lines, table] = [
    await readShared(pcPart, path),
    await readShared(pcPart, 'retail/pcpartpicker/video-card.2025-07-23.csv.gz'),
  ];
  const rows = gunzipSync(readFileSync(sharedPath(path)))
    .toString()
    .trimEnd()
    .split('\n');
  const cards = rows.map((row) => JSON.parse(row) as { price: number | null });
  assert.deepEqual([rows.length, cards.filter(({ price }) => price !== null).length], [6636, 1275]);
  assert.deepEqual(lines.refused, table.refused);
  const said = ({ listings }: typeof lines) => listings.map(({ label, offer, price }) => [label, offer, price]);
  assert.deepEqual(said(lines), said(table));
});
