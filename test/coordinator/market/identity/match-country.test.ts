import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countryCode, createCountryMatcher } from '../../../../coordinator/market/identity/match-country.ts';
import { providers, regions } from './table-rows.ts';

const match = createCountryMatcher(regions, providers);

/** Every [provider, region] of these is in the country. */
function all(country: string | null, ...places: (readonly [string, string])[]): void {
  for (const [provider, region] of places)
    assert.equal(match(provider, region, null), country, `${provider} ${region}`);
}

describe('the table', () => {
  test('every row is found under its provider, in any case, and names a country', () => {
    assert.ok(regions.length > 1000, 'the table was read');
    for (const { provider, region, country } of regions) {
      assert.equal(match(provider, region, null), country, `${provider} ${region}`);
      assert.equal(match(provider, ` ${region.toUpperCase()} `, null), country, `${provider} ${region}`);
      assert.equal(countryCode(country), country);
    }
  });

  test('every row is of a provider, and no code of a provider appears twice', () => {
    const slugs = new Set(providers.map(({ slug }) => slug));
    assert.deepEqual(
      regions.filter(({ provider }) => !slugs.has(provider)),
      [],
    );
    const keys = regions.map(({ provider, region }) => `${provider} ${region.toLowerCase()}`);
    assert.deepEqual(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      [],
    );
  });

  test('a code says nothing under another provider', () => {
    all('JP', ['gcp', 'asia-northeast1'], ['lambda', 'asia-northeast-1'], ['aws', 'ap-northeast-1']);
    all(null, ['gcp', 'ap-northeast-1'], ['azure', 'us-midwest-1'], ['nobody', 'us-east-1']);
  });
});

describe('zones', () => {
  test('AWS: one letter is taken off, and never the place it hangs on', () => {
    all('US', ['aws', 'us-east-1a'], ['aws', 'us-gov-west-1b'], ['aws', 'us-east-1-wl1-nyc-wlz-1']);
    all('AR', ['aws', 'us-east-1-bue-1'], ['aws', 'us-east-1-bue-1a']);
    all('CL', ['aws', 'us-east-1-scl-1a']);
    all('MA', ['aws', 'eu-west-3-wl1-cmn1'], ['aws', 'eu-west-3-cmn-wlz-1a']);
    all('TW', ['aws', 'ap-northeast-1-tpe-1a']);
    all(null, ['aws', 'us-east-1-xyz-1'], ['aws', 'us-east-1-xyz-1a'], ['aws', 'us-east-1aa'], ['aws', 'usx1-az2']);
    all('US', ['aws', 'US East (N. Virginia)'], ['aws', 'use1-az2'], ['aws', 'USW2']);
    all('JP', ['aws', 'apne1-az4']);
  });

  test('Google: the zone’s letter is taken off', () => {
    all('JP', ['gcp', 'asia-northeast1-a'], ['gcp', 'asia-northeast1']);
    all('NL', ['gcp', 'europe-west4-c']);
    all(null, ['gcp', 'europe-west99-a'], ['gcp', 'us-central1-ai1a']);
  });

  test('Crusoe and CoreWeave: codes stand with and without their letter', () => {
    all('US', ['crusoe', 'us-east1-a'], ['crusoe', 'us-east1']);
    all('NO', ['coreweave', 'EU-NORTH-02A']);
  });
});

describe('countries that stand in the text', () => {
  test('Vast: the second of place, country and continent', () => {
    all(
      'US',
      ['vastai', 'Texas, US, NA'],
      ['vastai', ', US, NA'],
      ['vastai', 'Georgia, US, NA'],
      ['vastai', 'Texas, US'],
    );
    all('CN', ['vastai', ', CN, AS']);
    all('HK', ['vastai', 'Hong Kong, HK, AS']);
    all('TW', ['vastai', 'Taichung City, TW, AS']);
    all('GE', ['vastai', 'Georgia, GE, AS']);
    all('NA', ['vastai', 'Windhoek, NA, AF']);
    all(null, ['vastai', 'Texas'], ['vastai', 'Dallas, TX, US'], ['vastai', ', , ']);
  });

  test('Shadeform and its resellers: the word before the number', () => {
    all('US', ['shadeform', 'dallas-usa-99'], ['sesterce', 'dallas-usa-1'], ['spheron', 'casper-usa-1']);
    all('GB', ['shadeform', 'london-uk-7']);
    all('SG', ['shadeform', 'singapore-singapore-9']);
    all(null, ['shadeform', 'nowhere-atlantis-1'], ['shadeform', 'us-east-9'], ['lambda', 'dallas-usa-1']);
  });

  test('Runpod: the zone says it, also one that is not in the table', () => {
    all('SE', ['runpod', 'EU-SE-1'], ['runpod', 'EU-SE-9']);
    all('IS', ['runpod', 'EUR-IS-99']);
    all('CA', ['runpod', 'CA-MTL-9'], ['runpod', 'CA']);
    all('US', ['runpod', 'US-CA-9'], ['runpod', 'us-de-1']);
    all('SG', ['runpod', 'SEA-SG-2']);
    all(null, ['runpod', 'EU-XX-1'], ['runpod', 'anywhere']);
    assert.equal(match('runpod', 'EU-SE-1', 'NO'), 'SE', 'SkyPilot once said Norway');
  });

  test('Prime Intellect, Lium, FluidStack, Cudo, SimplePod', () => {
    all(
      'US',
      ['primeintellect', 'US'],
      ['primeintellect', 'US - us-midwest-1'],
      ['lium', 'us'],
      ['fluidstack', 'OHIO_USA'],
    );
    all('NO', ['cudo', 'no-oslo-2'], ['simplepod', 'Europe-NO']);
    all('CA', ['simplepod', 'North America-CA']);
    all(null, ['primeintellect', 'UNSPECIFIED'], ['cudo', 'xx-atlantis-1'], ['fluidstack', 'MARS']);
  });

  test('a reseller’s listing that names its upstream is looked up there', () => {
    all('US', ['primeintellect', 'lambdalabs__us-midwest-1'], ['primeintellect', 'massedcompute__us-central-2']);
    all('CA', ['primeintellect', 'hyperstack__CANADA-1']);
    all('FI', ['primeintellect', 'nebius__eu-north1'], ['dc-wildebeest', 'nebius__eu-north1']);
    all(null, ['primeintellect', 'us-midwest-1'], ['primeintellect', 'nobody__us-midwest-1'], ['primeintellect', '__']);
  });
});

describe('what the source states, and the provider’s home', () => {
  test('a stated country counts where the region says nothing', () => {
    assert.equal(match('primeintellect', 'a3111bd4-550a-47d0-838a-0a52bff2ae3f', 'US'), 'US');
    assert.equal(match('nobody', null, 'fr'), 'FR');
    assert.equal(match('nobody', '', 'UK'), 'GB');
    assert.equal(match('nobody', null, 'ZZ'), null);
    assert.equal(match('nobody', 'global', 'EU'), null);
  });

  test('a provider with all its machines in one country needs no region', () => {
    assert.equal(match('hotaisle', null, null), 'US');
    assert.equal(match('e2e', 'anywhere', null), 'IN');
    assert.equal(match('massedcompute', null, 'CA'), 'CA', 'what the source states goes first');
  });

  test('nothing said means no country', () => {
    all(null, ['aws', ''], ['hyperbolic', 'earth'], ['daytona', 'eu'], ['constructor', 'constructor']);
    assert.equal(match('aws', null, null), null);
  });
});

test('the codes are those that the country names of this runtime know', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  const known = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => countryCode(code) === code);
  assert.equal(known.length, 249);
  assert.deepEqual(
    known.filter((code) => names.of(code) === undefined),
    [],
  );
});
