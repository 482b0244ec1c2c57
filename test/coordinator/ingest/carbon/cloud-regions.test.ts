import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ccf } from '../../../../coordinator/ingest/carbon/ccf.ts';
import { electricityMapsRegions } from '../../../../coordinator/ingest/carbon/electricity-maps-regions.ts';
import { moreCarbonFiles } from '../real-files.ts';
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
      /no column metric_ton_co2e_per_kwh or CO2e \(metric ton\/kWh\)/,
    );
  });

  test('a table of one provider, as published: the name says whose regions, and each is a part of its own', async () => {
    const published =
      'Region,Location,NERC Region,CO2e (metric ton/kWh),Source\nEast US 2,Virginia,SERC,0.000415755,EPA\n';
    const azure = await readCarbon(ccf, 'data/grid-emissions-factors-azure.csv', published);
    const factor = azure.factors.get('azure:eastus2') ?? assert.fail();
    near(factor.g_per_kwh, 415.755);
    assert.equal(factor.source_row, 'azure,East US 2: 0.000415755 metric tons CO2e/kWh (EPA)');
    assert.deepEqual(
      azure.editions.map(({ scope }) => scope),
      ['azure'],
    );
    const gcp = await readCarbon(
      ccf,
      'ccf.gcp.csv',
      'Region,Location,CO2e (metric ton/kWh),Source\nus-east1,x,0.0005,Google\n',
    );
    assert.deepEqual([[...gcp.factors.keys()], gcp.editions[0]?.scope], [['gcp:us-east1'], 'gcp']);
    assert.equal(
      await carbonFailure(ccf, 'factors.csv', published),
      'factors.csv: does not say whose regions it holds: put aws, azure or gcp into its name',
    );
  });

  test('the three tables of the publisher: every region by its own figure', { skip: withoutShared }, async () => {
    // awk 'NR > 1' FILE | wc -l: 25, 24 and 24. Azure's has two slips of its own: `000402` for Frankfurt, and a comma more
    // in Helsinki's row.
    const azure = { 'bad-value': 1, 'cells-missing': 1 };
    const counts = { aws: [25, {}], azure: [24, azure], gcp: [24, {}] } as const;
    for (const [at, [provider, [count, slips]]] of Object.entries(counts).entries()) {
      const path = moreCarbonFiles.ccf[at] ?? '';
      const { rowsRead, rowsKept, refused, factors, editions } = await readSharedCarbon(ccf, path);
      const kept = count - Object.keys(slips).length;
      assert.deepEqual([rowsRead, rowsKept, refused, editions[0]?.scope], [count, kept, slips, provider], path);
      const rows = csvRows(readFileSync(sharedPath(path), 'utf8'));
      const right = rows.filter((row) => row['CO2e (metric ton/kWh)']?.startsWith('0.'));
      assert.equal(right.length, kept);
      for (const row of right) {
        const region = provider === 'azure' ? row['Region']?.toLowerCase().replace(/ /g, '') : row['Region'];
        near(factors.get(`${provider}:${region}`)?.g_per_kwh, Number(row['CO2e (metric ton/kWh)']) * 1_000_000);
      }
    }
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
