import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { providerRow } from '../../../coordinator/market/providers-table.ts';
import { readTable } from '../../../coordinator/platform/read-table.ts';
import { csvRows, sharedPath, withoutShared } from '../ingest/read-source.ts';
import { postcodeShapes } from './postcode-shapes.ts';
import { zoneDifferences } from './zone-differences.ts';

const country = z.string().regex(/^[A-Z]{2}$/);
const zoneId = z.string().regex(/^[A-Z]{2}(-[A-Z0-9]+){0,2}$/);
const prefix = z.string().regex(/^[A-Z0-9]+$/);
const words = z.string().min(1);

const table = <T extends z.ZodType>(path: string, row: T): z.output<T>[] =>
  readTable(path, readFileSync(new URL(`../../../coordinator/${path}`, import.meta.url), 'utf8'), row);

const sellers = table('market/providers.csv', providerRow);

const regions = table(
  'carbon/tables/provider-regions.csv',
  z.object({
    provider: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    code: words,
    name: words,
    country_code: country,
    zone: zoneId,
  }),
);
const defaults = table(
  'carbon/tables/default-postcodes.csv',
  z.object({ country_code: country, postcode: z.string() }),
);
const ranges = table(
  'carbon/tables/postcode-zones.csv',
  z.object({ country_code: country, from: prefix, to: prefix, zone: zoneId, basis: words }),
);

/** The zone of a post code by the table; undefined if the country's own holds. */
function zoneOf(countryCode: string, postcode: string): string | undefined {
  const code = postcode.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  const fitting = ranges.filter(({ country_code, from, to }) => {
    const start = code.slice(0, from.length);
    return country_code === countryCode && start.length === from.length && from <= start && start <= to;
  });
  return fitting.toSorted((a, b) => b.from.length - a.from.length)[0]?.zone;
}

const repeated = (values: readonly string[]): string[] => values.filter((value, at) => values.indexOf(value) !== at);

describe('regions of providers', () => {
  test('are at least 145, each once, of providers that are known', () => {
    assert.ok(regions.length >= 145, `${regions.length} rows`);
    assert.deepEqual(repeated(regions.map(({ provider, code }) => `${provider} ${code.toLowerCase()}`)), []);
    // two operators of data centers that publish no GPU prices, so they are not among the sellers
    const known = new Set([...sellers.map(({ id }) => id), 'hlrs', 'itenos']);
    assert.deepEqual(
      [...new Set(regions.map(({ provider }) => provider))].filter((id) => !known.has(id)),
      [],
    );
  });

  test('of the large clouds are there in full numbers', () => {
    const least = { aws: 38, azure: 70, gcp: 43, oci: 50, ibm: 12, alibaba: 30, ovhcloud: 15 };
    for (const [provider, count] of Object.entries(least)) {
      const found = regions.filter((row) => row.provider === provider).length;
      assert.ok(found >= count, `${provider}: ${found} of ${count}`);
    }
  });

  test('lie in a zone of their own country', () => {
    const strays = regions.filter(({ country_code, zone }) => zone.slice(0, 2) !== country_code);
    assert.deepEqual(strays, []);
  });
});

describe('default post codes', () => {
  test('stand once per country, at least 90 with a code and 50 without', () => {
    assert.deepEqual(repeated(defaults.map(({ country_code }) => country_code)), []);
    const filled = defaults.filter(({ postcode }) => postcode !== '').length;
    assert.ok(filled >= 90, `${filled} with a code`);
    assert.ok(defaults.length - filled >= 50, `${defaults.length - filled} without one`);
  });

  test("have the form of their country's codes", () => {
    for (const { country_code, postcode } of defaults) {
      const shape = postcode.replaceAll(/\d/g, '9').replaceAll(/[A-Z]/g, 'A');
      assert.equal(shape, postcodeShapes.get(country_code) ?? '', `${country_code} ${postcode}`);
    }
  });

  test('of countries with several zones lie in the zone of the place', () => {
    const zones: Record<string, string | undefined> = {
      AU: 'AU-NSW',
      BR: 'BR-CS',
      CA: 'CA-ON',
      CL: 'CL-SEN',
      DK: 'DK-DK2',
      ES: undefined,
      FO: 'FO-MI',
      FR: undefined,
      GB: undefined,
      IN: 'IN-NO',
      IT: 'IT-CSO',
      JP: 'JP-TK',
      MY: 'MY-WM',
      NO: 'NO-NO1',
      PH: 'PH-LU',
      PT: undefined,
      RU: 'RU-1',
      SE: 'SE-SE3',
    };
    const codes = new Map(defaults.map(({ country_code, postcode }) => [country_code, postcode]));
    for (const [countryCode, zone] of Object.entries(zones))
      assert.equal(zoneOf(countryCode, codes.get(countryCode) ?? ''), zone, countryCode);
  });
});

describe('zones of post codes', () => {
  test('are ranges of equal length in order', () => {
    const odd = ranges.filter(({ from, to }) => from.length !== to.length || from > to);
    assert.deepEqual(odd, []);
  });

  test('do not overlap within a length', () => {
    const overlaps = ranges.flatMap((a, at) =>
      ranges
        .slice(at + 1)
        .filter((b) => a.country_code === b.country_code && a.from.length === b.from.length)
        .filter((b) => a.from <= b.to && b.from <= a.to)
        .map((b) => `${a.country_code} ${a.from}-${a.to} and ${b.from}-${b.to}`),
    );
    assert.deepEqual(overlaps, []);
  });

  const known: readonly (readonly [string, string, string, string | undefined])[] = [
    ['Sydney', 'AU', '2000', 'AU-NSW'],
    ['Canberra', 'AU', '2600', 'AU-NSW'],
    ['Darwin', 'AU', '0800', 'AU-NT'],
    ['Norfolk Island', 'AU', '2899', undefined],
    ['King Island', 'AU', '7256', 'AU-TAS-KI'],
    ['Sao Paulo', 'BR', '01310-100', 'BR-CS'],
    ['Rio Branco', 'BR', '69900-970', 'BR-CS'],
    ['Manaus', 'BR', '69005-010', 'BR-N'],
    ['Toronto', 'CA', 'M5V 2T6', 'CA-ON'],
    ['Iqaluit', 'CA', 'X0A 0H0', 'CA-NU'],
    ['Yellowknife', 'CA', 'X1A 1A1', 'CA-NT'],
    ['Copenhagen', 'DK', '2100', 'DK-DK2'],
    ['Aarhus', 'DK', '8000', 'DK-DK1'],
    ['Ronne', 'DK', '3700', 'DK-BHM'],
    ['Palma', 'ES', '07001', 'ES-IB-MA'],
    ['Mao', 'ES', '07701', 'ES-IB-ME'],
    ['Sant Francesc', 'ES', '07860', 'ES-IB-FO'],
    ['Madrid', 'ES', '28001', undefined],
    ['Ajaccio', 'FR', '20000', 'FR-COR'],
    ['Gustavia', 'FR', '97133', undefined],
    ['Belfast', 'GB', 'BT1 5GS', 'GB-NIR'],
    ['Kirkwall', 'GB', 'KW15 1AA', 'GB-ORK'],
    ['Wick, not Orkney', 'GB', 'KW1 5AA', undefined],
    ['New Delhi', 'IN', '110001', 'IN-NO'],
    ['Mumbai', 'IN', '400001', 'IN-WE'],
    ['Port Blair', 'IN', '744101', 'IN'],
    ['Rome', 'IT', '00118', 'IT-CSO'],
    ['Milan', 'IT', '20121', 'IT-NO'],
    ['Chiyoda', 'JP', '100-0001', 'JP-TK'],
    ['Osaka', 'JP', '530-0001', 'JP-KN'],
    ['Hamamatsu', 'JP', '430-0926', 'JP-CB'],
    ['Numazu', 'JP', '410-0801', 'JP-TK'],
    ['Oslo', 'NO', '0150', 'NO-NO1'],
    ['Bergen', 'NO', '5003', 'NO-NO5'],
    ['Longyearbyen', 'NO', '9170', undefined],
    ['Funchal', 'PT', '9000-001', 'PT-MA'],
    ['Stockholm', 'SE', '111 20', 'SE-SE3'],
    ['Malmo', 'SE', '211 15', 'SE-SE4'],
  ];
  for (const [place, countryCode, postcode, zone] of known)
    test(`${place}: ${countryCode} ${postcode} -> ${zone ?? 'the zone of the country'}`, () => {
      assert.equal(zoneOf(countryCode, postcode), zone);
    });
});

describe('beside the published lists', { skip: withoutShared }, () => {
  const read = (name: string): string => readFileSync(sharedPath(`carbon/electricitymaps/${name}`), 'utf8');

  test('every zone has factors', () => {
    const factors = new Set(csvRows(read('co2js-0.19.0-yearly-zones-2021-2025.csv')).map(({ zone }) => zone));
    assert.ok(factors.size > 300, 'the factors were read');
    const without = [...regions, ...ranges].filter(({ zone }) => !factors.has(zone));
    assert.deepEqual(without, []);
  });

  test('every data center of the list has our zone, or is a difference with a reason', () => {
    interface DataCenter {
      provider: string;
      region: string;
      zoneKey: string;
    }
    const listed = Object.values(JSON.parse(read('data_centers.json')) as Record<string, DataCenter>);
    assert.equal(listed.length, 148);
    const ours = new Map(regions.map(({ provider, code, zone }) => [`${provider} ${code}`, zone]));
    const found = listed
      .map(({ provider, region, zoneKey }) => {
        const id = provider === 'ovh' ? 'ovhcloud' : provider;
        return { provider: id, code: region, ours: ours.get(`${id} ${region}`), theirs: zoneKey };
      })
      .filter(({ ours, theirs }) => ours !== theirs);
    const stated = zoneDifferences.map(({ provider, code, ours, theirs }) => ({ provider, code, ours, theirs }));
    const order = (a: { provider: string; code: string }, b: { provider: string; code: string }): number =>
      `${a.provider} ${a.code}` < `${b.provider} ${b.code}` ? -1 : 1;
    assert.deepEqual(found.toSorted(order), stated.toSorted(order));
  });
});
