import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ember } from '../../../../coordinator/ingest/carbon/ember.ts';
import { carbonFailure, readCarbon } from './read-carbon.ts';

// In the form of Ember's yearly release in long form; the figures are made up.
const header =
  'Area,ISO 3 code,Year,Area type,Continent,Ember region,EU,OECD,G20,G7,ASEAN,Category,Subcategory,Variable,Unit,Value,YoY absolute change,YoY % change';
const row = (
  area: string,
  iso3: string,
  year: number | string,
  { value = '400.5', unit = 'gCO2/kWh', figure = 'Power sector emissions,CO2 intensity,CO2 intensity' } = {},
): string => `${area},${iso3},${year},Country or economy,Europe,Europe,1,1,1,1,0,${figure},${unit},${value},-1.5,-0.4`;
const table = (...rows: string[]): string => [header, ...rows].join('\n');

test('the carbon intensity of countries, an edition for each year', async () => {
  const text = table(
    row('Germany', 'DEU', 2022, { value: '383.1' }),
    row('Germany', 'DEU', 2023, { value: '349.2' }),
    row('"Korea, Republic of"', 'KOR', 2023, { value: '430.7' }),
  );
  const { rowsRead, rowsKept, refused, editions, factors } = await readCarbon(ember, 'yearly.csv', text);
  assert.deepEqual([rowsRead, rowsKept, refused], [3, 3, {}]);
  assert.deepEqual(
    editions.map(({ source, scope, factors: its = [] }) => [source, scope, its.map(({ zone }) => zone)]),
    [
      ['ember-yearly', '2022', ['DE']],
      ['ember-yearly', '2023', ['DE', 'KR']],
    ],
  );
  const { g_per_kwh, basis, kind, source_row } = factors.get('DE') ?? assert.fail();
  assert.deepEqual([g_per_kwh, basis, kind], [349.2, 'lifecycle', 'average']);
  assert.equal(source_row, '2023: Germany (DEU), CO2 intensity = 349.2 gCO2/kWh');
});

test('the unit that says CO2e is the same', async () => {
  const { rowsKept } = await readCarbon(ember, 'a.csv', table(row('France', 'FRA', 2024, { unit: 'gCO2e/kWh' })));
  assert.equal(rowsKept, 1);
});

test('areas that are not a country, other figures and units, holes and repetitions are refused and counted', async () => {
  const text = table(
    row('France', 'FRA', 2023),
    row('World', '', 2023),
    row('EU', '', 2023),
    row('Nowhere', 'ZZZ', 2023),
    row('France', 'FRA', 2023, { figure: 'Power sector emissions,Total,Total emissions', unit: 'mtCO2' }),
    row('France', 'FRA', 2023, { figure: 'Electricity generation,Fuel,Coal', unit: 'TWh' }),
    row('France', 'FRA', 2022, { unit: 'mtCO2' }),
    row('France', 'FRA', 2021, { value: '' }),
    row('France', 'FRA', 2020, { value: '-3' }),
    row('France', 'FRA', 20),
    row('France', 'FRA', 2023),
    row('France', 'FRA', 2019).slice(0, -5),
  );
  const { rowsRead, rowsKept, refused } = await readCarbon(
    ember,
    'yearly.csv',
    `${text}\n${row('Italy', 'ITA', 2023)}\n`,
  );
  assert.deepEqual([rowsRead, rowsKept], [13, 2]);
  assert.deepEqual(refused, {
    'no-country': 3,
    'other-figure': 2,
    'other-unit': 1,
    'no-figure': 1,
    'bad-value': 1,
    'bad-year': 1,
    repeated: 1,
    'cells-missing': 1,
  });
});

test('the wide form is refused whole', async () => {
  assert.match(
    await carbonFailure(ember, 'a.csv', 'Area,Year,CO2 intensity\nFrance,2023,40\n'),
    /has no column Category, /,
  );
});
