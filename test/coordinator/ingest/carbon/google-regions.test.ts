import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { googleRegions } from '../../../../coordinator/ingest/carbon/google-regions.ts';
import { csvRows, near, sharedPath, withoutShared } from '../read-source.ts';
import { carbonFailure, readCarbon, readSharedCarbon } from './read-carbon.ts';

const LIFECYCLE = 'Lifecycle grid carbon intensity (gCO2eq / kWh)';
const DIRECT = 'Grid carbon intensity (gCO2eq / kWh)';
const head = (figure: string) => `Google Cloud Region,Location,Google CFE,${figure}\n`;

test('two headers: lifecycle until 2020, direct since 2021', async () => {
  const row = 'asia-east1,Taiwan,0.17,456\n';
  const before = await readCarbon(googleRegions, 'data/2020.csv', head(LIFECYCLE) + row);
  const since = await readCarbon(googleRegions, 'data/2021.csv', head(DIRECT) + row);
  assert.equal(before.factors.get('gcp:asia-east1')?.basis, 'lifecycle');
  assert.deepEqual(since.factors.get('gcp:asia-east1'), {
    zone: 'gcp:asia-east1',
    valid_from: '2021-01-01T00:00:00Z',
    valid_to: '2022-01-01T00:00:00Z',
    g_per_kwh: 456,
    basis: 'direct',
    kind: 'average',
    source_year: 2021,
    source_row: '2021: asia-east1, Taiwan: 456 gCO2eq/kWh, Google CFE 0.17',
  });
});

test('empty CFE: the row is kept, and says so', async () => {
  const { factors } = await readCarbon(googleRegions, '2019.csv', `${head(LIFECYCLE)}asia-east2,Hong Kong,,506\n`);
  assert.equal(factors.get('gcp:asia-east2')?.g_per_kwh, 506);
  assert.match(factors.get('gcp:asia-east2')?.source_row ?? '', /Google CFE not stated$/);
});

test('rows without a figure or a region are refused and counted', async () => {
  const rows = 'a,A,1,\nb,B,1,x\n,C,1,4\nd,D,1,5\nd,D,1,6\ne,E,1,9000\nf,F\ng,G,1,7\nh,H,1,8\n';
  const { rowsRead, rowsKept, refused } = await readCarbon(googleRegions, '2024.csv', head(DIRECT) + rows);
  assert.deepEqual([rowsRead, rowsKept], [9, 3]);
  assert.deepEqual(refused, { 'no-figure': 1, 'bad-value': 2, 'no-region': 1, repeated: 1, 'cells-missing': 1 });
});

test('a file of no year, and one of another format, are refused whole', async () => {
  const row = 'asia-east1,Taiwan,0.17,456\n';
  assert.match(
    await carbonFailure(googleRegions, '/of/2024/regions.csv', head(DIRECT) + row),
    /its name does not state the year/,
  );
  assert.match(await carbonFailure(googleRegions, '2024.csv', `Region,CO2\n${row}`), /no column Google Cloud Region/);
});

for (const [year, regions] of Object.entries({ 2019: 24, 2020: 27, 2021: 34, 2022: 36, 2023: 40, 2024: 44 })) {
  const path = `carbon/google-region-carbon/${year}.csv`;
  test(`${year}: all ${regions} regions by the file's own figures`, { skip: withoutShared }, async () => {
    const { rowsRead, rowsKept, refused, editions, factors } = await readSharedCarbon(googleRegions, path);
    const rows = csvRows(readFileSync(sharedPath(path), 'utf8'));
    assert.equal(rows.length, regions);
    assert.deepEqual([rowsRead, rowsKept, refused], [regions, regions, {}]);
    assert.deepEqual([editions[0]?.source, editions[0]?.scope], ['google-regions', year]);
    for (const row of rows) {
      const factor = factors.get(`gcp:${row['Google Cloud Region']}`);
      near(factor?.g_per_kwh, Number(row[LIFECYCLE] ?? row[DIRECT]));
      assert.equal(factor?.basis, Number(year) <= 2020 ? 'lifecycle' : 'direct');
    }
  });
}
