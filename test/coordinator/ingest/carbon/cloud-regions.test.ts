import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ccf } from '../../../../coordinator/ingest/carbon/ccf.ts';
import { electricityMapsRegions } from '../../../../coordinator/ingest/carbon/electricity-maps-regions.ts';
import { csvRows, near, sharedPath, withoutShared } from '../read-source.ts';
import { carbonFailure, readCarbon, readSharedCarbon } from './read-carbon.ts';

describe('Cloud Carbon Footprint', () => {
  const header = 'provider,region,metric_ton_co2e_per_kwh\n';

  test('metric tons for a kWh to g/kWh', async () => {
    const { factors, editions } = await readCarbon(ccf, 'a.csv', `${header}aws,us-east-1,0.0003651277965\n`);
    const factor = factors.get('aws:us-east-1') ?? assert.fail();
    near(factor.g_per_kwh, 365.1277965);
    assert.deepEqual([factor.basis, factor.kind, factor.source_year], ['direct', 'average', null]);
    assert.deepEqual([editions[0]?.source, editions[0]?.scope], ['ccf', 'regions']);
  });

  test('rows without a region or a figure are refused and counted', async () => {
    const rows = 'aws,Unknown,0.0003\naws,,0.1\naws,a,\naws,b,7\naws,c,0.0001\naws,c,0.0002\naws,d\n';
    const { rowsRead, rowsKept, refused } = await readCarbon(ccf, 'a.csv', header + rows);
    assert.deepEqual([rowsRead, rowsKept], [7, 1]);
    assert.deepEqual(refused, { 'no-region': 2, 'no-figure': 1, 'bad-value': 1, repeated: 1, 'cells-missing': 1 });
  });

  test('another format is refused whole', async () => {
    assert.match(
      await carbonFailure(ccf, 'a.csv', 'provider,region,g\naws,a,1\n'),
      /no column metric_ton_co2e_per_kwh/,
    );
  });

  test("the real list: every region by the file's own figure", { skip: withoutShared }, async () => {
    const path = 'carbon/ccf/region-factors.csv';
    const { rowsRead, rowsKept, refused, factors } = await readSharedCarbon(ccf, path);
    const rows = csvRows(readFileSync(sharedPath(path), 'utf8'));
    const named = rows.filter(({ region }) => region !== 'Unknown');
    assert.deepEqual([rowsRead, rowsKept, refused], [106, named.length, { 'no-region': rows.length - named.length }]);
    assert.equal(named.length, 104);
    for (const { provider, region, metric_ton_co2e_per_kwh } of named)
      near(factors.get(`${provider}:${region}`)?.g_per_kwh, Number(metric_ton_co2e_per_kwh) * 1_000_000);
  });
});

describe('data centers of Electricity Maps', () => {
  const center = (given: object) => ({
    provider: 'aws',
    region: 'r',
    displayName: 'Place',
    zoneKey: 'DE',
    status: 'operational',
    ...given,
  });
  const list = (...centers: object[]): string =>
    JSON.stringify(Object.fromEntries(centers.map((one, at) => [at, one])));

  test('ovh is ovhcloud here; the country is the zone’s', async () => {
    const text = list(center({ provider: 'ovh', region: 'us-hillsboro', zoneKey: 'US-NW-BPAT', lonlat: [1, 2] }));
    const { editions, rowsKept } = await readCarbon(electricityMapsRegions, 'data_centers.json', text);
    assert.equal(rowsKept, 1);
    assert.equal(editions[0]?.source, 'electricity-maps-regions');
    assert.deepEqual(editions[0]?.regions, [
      { provider: 'ovhcloud', code: 'us-hillsboro', name: 'Place', country_code: 'US', zone: 'US-NW-BPAT' },
    ]);
  });

  test('what is planned, of no zone or there twice is refused and counted', async () => {
    const rows = [
      center({}),
      center({}),
      center({ region: 'p', status: 'planned' }),
      center({ region: 'z', zoneKey: '?' }),
    ];
    const { rowsRead, refused } = await readCarbon(
      electricityMapsRegions,
      'a.json',
      list(...rows, center({ region: '' })),
    );
    assert.equal(rowsRead, 5);
    assert.deepEqual(refused, { repeated: 1, 'not-operational': 1, 'bad-zone': 1, 'no-region': 1 });
  });

  for (const [what, text, sentence] of [
    ['another shape', '{"a": {"provider": "aws"}}', /is not of this format: a\.region: /],
    ['a list', '[]', /is not of this format: the document: /],
    ['cut off', '{"a": {"prov', /is cut off or not JSON/],
  ] as const) {
    test(`${what} is refused whole`, async () => {
      assert.match(await carbonFailure(electricityMapsRegions, 'a.json', text), sentence);
    });
  }

  test('the real list: 148 regions in the zones that it says', { skip: withoutShared }, async () => {
    const path = 'carbon/electricitymaps/data_centers.json';
    const { rowsRead, rowsKept, refused, editions } = await readSharedCarbon(electricityMapsRegions, path);
    assert.deepEqual([rowsRead, rowsKept, refused], [148, 148, {}]);
    const listed = Object.values(
      JSON.parse(readFileSync(sharedPath(path), 'utf8')) as Record<
        string,
        Record<'provider' | 'region' | 'zoneKey', string>
      >,
    );
    assert.deepEqual(
      editions[0]?.regions?.map(({ provider, code, zone }) => `${provider} ${code} ${zone}`),
      listed.map(({ provider, region, zoneKey }) => `${provider.replace(/^ovh$/, 'ovhcloud')} ${region} ${zoneKey}`),
    );
  });
});
