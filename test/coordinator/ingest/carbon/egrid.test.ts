import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { egrid } from '../../../../coordinator/ingest/carbon/egrid.ts';
import { workbookOf } from '../../../support/workbook-of.ts';
import { zipOf } from '../../../support/zip-of.ts';
import { csvRows, near, sharedPath, withoutShared } from '../read-source.ts';
import { carbonFailure, readCarbon, readSharedCarbon } from './read-carbon.ts';

/** A pound has 453.59237 g, a MWh 1000 kWh. */
const POUND = 453.59237 / 1000;

// Rows of eGRID2023 revision 2: CO2, CH4, N2O and EPA's own CO2e in lb/MWh.
const rates = {
  CAMX: { name: 'WECC California', gases: [428.464, 0.025, 0.003], co2e: 429.983 },
  ERCT: { name: 'ERCOT All', gases: [733.862, 0.043, 0.006], co2e: 736.629 },
  NYCW: { name: 'NPCC NYC/Westchester', gases: [864.469, 0.022, 0.002], co2e: 865.744 },
} as const;
const longNames = [
  'Data Year',
  'eGRID subregion acronym',
  'eGRID subregion name',
  'eGRID subregion annual CO2 total output emission rate (lb/MWh)',
  'eGRID subregion annual CH4 total output emission rate (lb/MWh)',
  'eGRID subregion annual N2O total output emission rate (lb/MWh)',
  'eGRID subregion annual CO2 equivalent total output emission rate (lb/MWh)',
];
const codes = ['YEAR', 'SUBRGN', 'SRNAME', 'SRCO2RTA', 'SRCH4RTA', 'SRN2ORTA', 'SRC2ERTA'];
const sheet = (year: number) => [
  longNames,
  codes,
  ...Object.entries(rates).map(([code, { name, gases, co2e }]) => [year, code, name, ...gases, co2e]),
];
const other = [['Contents'], ['SRL23: subregions']];
const header = 'SUBRGN,SRNAME,SRCO2RTA_lb_per_MWh,SRCH4RTA_lb_per_MWh,SRN2ORTA_lb_per_MWh';

describe('the workbook', () => {
  test('its year is the sheet’s, its revision the file’s, its columns go by the second header', async () => {
    const bytes = workbookOf({ Contents: other, SRL23: sheet(2023), US23: [['nothing']] });
    const { rowsRead, rowsKept, refused, editions, factors } = await readCarbon(
      egrid,
      'egrid2023_data_rev2.xlsx',
      bytes,
    );
    assert.deepEqual([rowsRead, rowsKept, refused], [3, 3, {}]);
    assert.deepEqual(
      editions.map(({ source, scope }) => [source, scope]),
      [['egrid', 'eGRID2023 rev2']],
    );
    for (const [zone, { co2e }] of Object.entries(rates)) near(factors.get(zone)?.g_per_kwh, co2e * POUND);
    assert.deepEqual(factors.get('CAMX'), {
      zone: 'CAMX',
      valid_from: '2023-01-01T00:00:00Z',
      valid_to: '2024-01-01T00:00:00Z',
      g_per_kwh: (429.983 * 453.59237) / 1000,
      basis: 'direct',
      kind: 'average',
      source_year: 2023,
      source_row: 'eGRID2023 rev2 CAMX: SRC2ERTA = 429.983 lb/MWh',
    });
  });

  test('AR4 of an edition before 2023: CO2e is added up from the gases, not taken from SRC2ERTA', async () => {
    const { factors } = await readCarbon(egrid, 'egrid2022_data.xlsx', workbookOf({ SRL22: sheet(2022) }));
    near(factors.get('ERCT')?.g_per_kwh, (733.862 + 28 * 0.043 + 265 * 0.006) * POUND);
    assert.match(
      factors.get('ERCT')?.source_row ?? '',
      /^eGRID2022 ERCT: CO2 733\.862 \+ 28 CH4 0\.043 \+ 265 N2O 0\.006 = /,
    );
  });

  test('a row that gives no rate is refused and counted', async () => {
    const rows = [
      ...sheet(2023),
      [2023, 'HIMS', 'HICC', 'n/a', 0.1, 0.02, 1],
      [2023, 'CAMX', 'again', 1, 1, 1, 1],
      [2023, 'x1', '', 1, 1, 1, 1],
    ];
    const { rowsRead, rowsKept, refused } = await readCarbon(egrid, 'a.xlsx', workbookOf({ SRL23: rows }));
    assert.deepEqual([rowsRead, rowsKept, refused], [6, 3, { 'no-figure': 1, repeated: 1, 'no-subregion': 1 }]);
  });

  const whole = workbookOf({ SRL23: sheet(2023) });
  const broken: Record<string, [content: Uint8Array, sentence: RegExp]> = {
    'without the sheet': [
      workbookOf({ PLNT23: sheet(2023) }),
      /: is not an eGRID workbook: it has no sheet SRL with a year$/,
    ],
    'cut off': [whole.subarray(0, -40), /: is cut off or not a whole zip file/],
    'with a wrong checksum': [zipOf({ '[Content_Types].xml': 'x', 'xl/workbook.xml': 'y' }, 1), /checksum/],
    'without the codes': [workbookOf({ SRL23: [longNames] }), /: has no row with the code SUBRGN in its sheet SRL23$/],
    'without a column': [
      workbookOf({ SRL23: sheet(2023).map((row) => row.slice(0, 5)) }),
      /: is not of this format: it has no column SRN2ORTA or SRN2ORTA_lb_per_MWh; /,
    ],
    'that unpacks to far more than it is': [
      zipOf({ '[Content_Types].xml': 'x', 'xl/worksheets/sheet1.xml': ' '.repeat(32 * 1024 ** 2) }),
      /: unpacks to more than 300 times its size/,
    ],
    'with a sheet that is missing': [
      zipOf({
        '[Content_Types].xml': '<Types/>',
        'xl/workbook.xml': '<workbook><sheets><sheet name="SRL23" sheetId="1" r:id="rId1"/></sheets></workbook>',
      }),
      /: is a damaged workbook/,
    ],
  };
  for (const [what, [content, sentence]] of Object.entries(broken)) {
    test(`${what}: nothing of it is kept`, async () => {
      assert.match(await carbonFailure(egrid, 'egrid2023.xlsx', content), sentence);
    });
  }
});

test('lb/MWh to g/kWh: 1000 pounds for a MWh are 453.59237 g for a kWh', async () => {
  const { factors } = await readCarbon(egrid, 'egrid2024.csv', `${header}\nCAMX,California,1000,0,0\n`);
  near(factors.get('CAMX')?.g_per_kwh, 453.59237);
});

test('a CSV whose name says no edition is refused', async () => {
  assert.match(
    await carbonFailure(egrid, 'rates.csv', `${header}\nCAMX,x,1,0,0\n`),
    /its name does not state the edition/,
  );
});

test('swapped columns are told by what the cells look like', async () => {
  const message = await carbonFailure(egrid, 'egrid2024.csv', `${header}\nCAMX,1,California,0,0\n`);
  assert.match(message, /SRCO2RTA_lb_per_MWh does not hold numbers/);
});

for (const year of [2022, 2023]) {
  const path = `carbon/egrid/egrid${year}_subregion_total_output_rates.csv`;
  test(`eGRID${year}: all 28 rows, each by the file's own figures`, { skip: withoutShared }, async () => {
    const { rowsRead, rowsKept, refused, editions, factors } = await readSharedCarbon(egrid, path);
    const rows = csvRows(readFileSync(sharedPath(path), 'utf8'));
    assert.equal(rows.length, 28);
    assert.deepEqual([rowsRead, rowsKept, refused], [28, 28, {}]);
    assert.equal(editions[0]?.scope, `eGRID${year}`);
    for (const row of rows) {
      const [co2, ch4, n2o] = [row['SRCO2RTA_lb_per_MWh'], row['SRCH4RTA_lb_per_MWh'], row['SRN2ORTA_lb_per_MWh']];
      const sum = Number(co2) + 28 * Number(ch4) + 265 * Number(n2o);
      near(factors.get(row['SUBRGN'] ?? '')?.g_per_kwh, Number(row['SRC2ERTA_lb_per_MWh'] ?? sum) * POUND);
    }
  });
}

test(
  'AR4 and AR5: the sum by AR5 is EPA’s CO2e of 2022 to 0.1 % in three subregions',
  { skip: withoutShared },
  async () => {
    const { factors } = await readSharedCarbon(egrid, 'carbon/egrid/egrid2022_subregion_total_output_rates.csv');
    // SRC2ERTA of eGRID2022 as EPA publishes it, by AR4.
    for (const [zone, published] of [
      ['CAMX', 499.278],
      ['ERCT', 774.298],
      ['NYCW', 886.58],
    ] as const) {
      const pounds = (factors.get(zone)?.g_per_kwh ?? NaN) / POUND;
      assert.ok(Math.abs(pounds / published - 1) < 0.001, `${zone}: ${pounds} and ${published}`);
      assert.notEqual(pounds, published);
    }
  },
);
