import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { epaZips } from '../../../../coordinator/ingest/carbon/epa-zips.ts';
import { moreCarbonFiles } from '../real-files.ts';
import { csvRows, sharedPath, withoutShared } from '../read-source.ts';
import { carbonFailure, readCarbon, readSharedCarbon } from './read-carbon.ts';

const header = 'zip,state,eiaid,UtilName,SUBRGN,Predominant Utility';
const older = 'zip_character,zip_numeric,state,egrid_subregion_1,egrid_subregion_2,egrid_subregion_3';
const newest = 'carbon/egrid/power_profiler_zip_2025-06.csv.gz';
const of2018 = 'carbon/egrid/power_profiler_zipcode_tool_2018_3_09_20_v9.csv.gz';

const sharedRows = (path: string) => csvRows(gunzipSync(readFileSync(sharedPath(path))).toString());

test('byte order mark: the first column is found behind it', async () => {
  const { editions } = await readCarbon(epaZips, 'zip.csv', `\uFEFF${header}\n94105,CA,1,PG&E,CAMX,1\n`);
  assert.deepEqual(editions[0]?.zips, [{ prefix: '941', state: 'CA', zones: ['CAMX'], zips: '05' }]);
});

test('stripped zeros: 501 and 2 are the zips 00501 and 00002', async () => {
  const { editions } = await readCarbon(epaZips, 'zip.csv', `${older}\n501,501,NY,NYLI,,\n2,2,AK,AKMS,,\n`);
  assert.deepEqual(editions[0]?.zips, [
    { prefix: '000', state: 'AK', zones: ['AKMS'], zips: '02' },
    { prefix: '005', state: 'NY', zones: ['NYLI'], zips: '01' },
  ]);
});

test('several utilities of a zip: the marked one’s subregion stands first wherever its row does', async () => {
  const rows = ['30525,GA,1,a,SRVC,0', '30525,GA,2,b,SRSO,0', '30525,GA,3,c,SRTV,1', '30526,GA,3,c,SRTV,1'];
  const { rowsRead, rowsKept, editions } = await readCarbon(epaZips, 'zip.csv', [header, ...rows].join('\n'));
  assert.deepEqual([rowsRead, rowsKept], [4, 4]);
  assert.deepEqual(editions[0]?.zips, [
    { prefix: '305', state: 'GA', zones: ['SRTV', 'SRSO', 'SRVC'], zips: '25' },
    { prefix: '305', state: 'GA', zones: ['SRTV'], zips: '26' },
  ]);
});

test('rows that are not a zip of a subregion are refused and counted', async () => {
  const rows = [
    '94105,CA,1,a,CAMX,1',
    'x,CA,1,a,CAMX,1',
    '123456,CA,1,a,CAMX,1',
    '94106,CA,1,a,,1',
    '94107,CA,1,a,CAMX',
  ];
  const { refused, rowsKept } = await readCarbon(epaZips, 'zip.csv', [header, ...rows].join('\n'));
  assert.deepEqual([rowsKept, refused], [1, { 'bad-zip': 2, 'no-subregion': 1, 'cells-missing': 1 }]);
});

test('a table of something else is refused whole', async () => {
  assert.match(
    await carbonFailure(epaZips, 'a.csv', 'state,city\nCA,x\n'),
    /no column zip or zip_character, SUBRGN or egrid/,
  );
});

test('the table of 2025 gives exactly the table that comes with the product', { skip: withoutShared }, async () => {
  const { rowsRead, rowsKept, refused, editions } = await readSharedCarbon(epaZips, newest);
  assert.deepEqual([rowsRead, rowsKept, refused], [sharedRows(newest).length, 65_110, {}]);
  const ours = readFileSync(new URL('../../../../coordinator/carbon/tables/us-zips.csv', import.meta.url), 'utf8');
  const made = (editions[0]?.zips ?? []).map(
    ({ prefix, state, zones, zips }) => `${prefix},${state},${zones.join('|')},${zips}`,
  );
  assert.deepEqual(['prefix,state,subregions,zips', ...made], ours.trimEnd().split('\n'));
});

test('the form of 2018: every zip once, its first subregion first', { skip: withoutShared }, async () => {
  const { rowsRead, rowsKept, refused, editions } = await readSharedCarbon(epaZips, of2018);
  const rows = sharedRows(of2018);
  const firsts = new Map<string, string>();
  for (const row of rows) {
    const zip = (row['zip_character'] ?? '').padStart(5, '0');
    if (!firsts.has(zip)) firsts.set(zip, row['egrid_subregion_1'] ?? '');
  }
  assert.deepEqual([rowsRead, rowsKept, refused], [41_353, firsts.size, { repeated: rows.length - firsts.size }]);
  // 501 and 544 with and without their zeros, 38947 with two subregions
  assert.equal(firsts.size, 41_350);
  const made = new Map<string, string>();
  for (const { prefix, zones, zips } of editions[0]?.zips ?? []) {
    for (const range of zips.split(' ')) {
      const [first = NaN, last = first] = range.split('-').map(Number);
      for (let at = first; at <= last; at += 1) made.set(`${prefix}${String(at).padStart(2, '0')}`, zones[0] ?? '');
    }
  }
  assert.deepEqual(made, firsts);
});

test(
  'the tables of 2021, in Latin-1 and with another header, and of 2024: every row',
  { skip: withoutShared },
  async () => {
    // Rows, zips and rows with a letter above ASCII, counted by another reader of CSV.
    const counted = [
      [72_581, 41_526, 21],
      [65_142, 41_588, 21],
    ];
    for (const [at, path] of moreCarbonFiles['epa-zips'].entries()) {
      const { rowsRead, rowsKept, refused, editions } = await readSharedCarbon(epaZips, path);
      const rows = csvRows(
        gunzipSync(readFileSync(sharedPath(path)))
          .toString('latin1')
          .replace('\u00ef\u00bb\u00bf', ''),
      );
      const zips = new Map(Object.entries(Object.groupBy(rows, ({ zip = '' }) => zip.padStart(5, '0'))));
      const accented = rows.filter(({ UtilName = '' }) => /[\u0080-\u00ff]/.test(UtilName));
      assert.deepEqual([rows.length, zips.size, accented.length], counted[at], path);
      assert.deepEqual([rowsRead, rowsKept, refused], [rows.length, rows.length, {}], path);
      let made = 0;
      for (const { prefix, zones, zips: ranges } of editions[0]?.zips ?? []) {
        for (const range of ranges.split(' ')) {
          const [first = NaN, last = first] = range.split('-').map(Number);
          for (let two = first; two <= last; two += 1, made += 1) {
            const own = zips.get(`${prefix}${String(two).padStart(2, '0')}`) ?? assert.fail(`${prefix} ${range}`);
            const marked = own.find((row) => row['Predominant Utility'] === '1') ?? own[0];
            assert.equal(zones[0], marked?.['SUBRGN']);
          }
        }
      }
      assert.equal(made, zips.size);
    }
  },
);

test('a utility with a letter of Latin-1 costs no row, in whatever piece of the file it stands', async () => {
  const rows = [
    '05030,VT,Green Mountain Power Corp [Gaz M\xe9tropolitain & Co LP],1061,NEWE,1',
    '94105,CA,PG&E,2,CAMX,1',
  ];
  const text = ['zip,state,UtilName,trim_util_code,SUBRGN,Predominant Utility', ...rows].join('\n');
  const { rowsKept, editions } = await readCarbon(epaZips, 'zip.csv', Buffer.from(text, 'latin1'));
  assert.equal(rowsKept, 2);
  assert.deepEqual(
    editions[0]?.zips?.map(({ prefix, zones }) => [prefix, ...zones]),
    [
      ['050', 'NEWE'],
      ['941', 'CAMX'],
    ],
  );
});
