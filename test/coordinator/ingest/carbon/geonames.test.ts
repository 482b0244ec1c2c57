import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { geonames } from '../../../../coordinator/ingest/carbon/geonames.ts';
import { csvRows, sharedPath, withoutShared } from '../read-source.ts';
import { carbonFailure, readCarbon, readSharedCarbon } from './read-carbon.ts';

const row = (country: string, code: string, lat: string | number, lon: string | number): string =>
  [country, code, 'a place', '', '', '', '', '', '', lat, lon, 4].join('\t');

const file = new URL('../../../../coordinator/carbon/tables/capitals.csv', import.meta.url);
const capitals = csvRows(readFileSync(file, 'utf8'));

test('the code nearest the capital stands for a country; of several at one place the first', async () => {
  const rows = [
    row('DE', '80331', 48.14, 11.58),
    row('DE', '10178', 52.521, 13.411),
    row('DE', '10117', 52.517, 13.388),
    row('FR', '75004', 48.855, 2.352),
    row('DE', '10115', 52.521, 13.411),
    row('FJ', '', -18.1, 178.4),
  ];
  const { rowsRead, rowsKept, refused, editions } = await readCarbon(geonames, 'allCountries.txt', rows.join('\n'));
  assert.deepEqual([rowsRead, rowsKept, refused], [6, 2, { farther: 3, 'no-place': 1 }]);
  assert.deepEqual(
    editions.map(({ source, scope, defaultPostcodes }) => [source, scope, defaultPostcodes]),
    [
      ['geonames', 'DE', [{ country_code: 'DE', postcode: '10115' }]],
      ['geonames', 'FR', [{ country_code: 'FR', postcode: '75004' }]],
    ],
  );
});

test('across the 180th meridian near is near', async () => {
  const rows = [row('FJ', 'far', -18.1, 170), row('FJ', 'near', -18.1, -179.9)];
  const { editions } = await readCarbon(geonames, 'FJ.txt', rows.join('\r\n'));
  assert.equal(editions[0]?.defaultPostcodes?.[0]?.postcode, 'near');
});

test('rows without a place, of no country that is known or cut off are refused and counted', async () => {
  const rows = [row('DE', '1', 52, 13), row('DE', '2', '', ''), row('XX', '3', 1, 1), row('DE', '4', 91, 1), 'DE\t5'];
  const { rowsRead, rowsKept, refused } = await readCarbon(geonames, 'DE.txt', rows.join('\n'));
  assert.deepEqual([rowsRead, rowsKept], [5, 1]);
  assert.deepEqual(refused, { 'no-place': 2, 'unknown-capital': 1, 'cells-missing': 1 });
});

test('another format is refused whole', async () => {
  assert.match(await carbonFailure(geonames, 'a.csv', 'country,code\nDE,1\n'), /its rows have no 12 columns$/);
});

test('the capitals: each once, on the globe, at least 200 of them', () => {
  assert.ok(capitals.length >= 200);
  assert.equal(new Set(capitals.map((capital) => capital['country_code'])).size, capitals.length);
  for (const { country_code = '', lat, lon } of capitals)
    assert.ok(Math.abs(Number(lat)) <= 90 && Math.abs(Number(lon)) <= 180, country_code);
});

test('the United States: the nearest of 41,490 by another formula', { skip: withoutShared }, async () => {
  const path = 'carbon/geonames/US.txt.gz';
  const { rowsRead, rowsKept, refused, editions } = await readSharedCarbon(geonames, path);
  const rows = gunzipSync(readFileSync(sharedPath(path)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  assert.equal(rows.length, 41_490);
  assert.deepEqual([rowsRead, rowsKept, refused], [41_490, 1, { farther: 41_489 }]);
  // On a plane: so near to each other the sphere makes no difference.
  const away = (cells: readonly string[]): number =>
    Math.hypot(Number(cells[9]) - 38.9, (Number(cells[10]) + 77.04) * Math.cos((38.9 * Math.PI) / 180));
  const least = Math.min(...rows.map(away));
  const nearest = rows.filter((cells) => away(cells) === least).map(([, code = '']) => code);
  assert.equal(editions[0]?.defaultPostcodes?.[0]?.postcode, nearest.toSorted()[0]);
});
