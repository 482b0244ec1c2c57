import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegionReader } from '../../../../coordinator/market/identity/known-regions.ts';
import { regions } from './table-rows.ts';

const read = createRegionReader(regions);
const codes = (provider: string, ...names: string[]): string[] => names.map((name) => read(provider, name).code);
const segments = (provider: string, ...names: string[]): unknown[] => names.map((name) => read(provider, name).segment);

test('one region has one code, whatever a source calls it, and so have its zones', () => {
  assert.deepEqual(
    new Set(codes('aws', 'us-east-1', 'US East (N. Virginia)', 'use1-az2', 'USE1', 'us-east-1a', 'US-EAST-1')),
    new Set(['us-east-1']),
  );
  assert.deepEqual(codes('aws', 'EU (Ireland)', 'Europe (Ireland)', 'euw1-az3'), Array(3).fill('eu-west-1'));
  assert.deepEqual(codes('aws', 'apne1-az4', 'Asia Pacific (Tokyo)'), Array(2).fill('ap-northeast-1'));
  assert.deepEqual(codes('azure', 'eastus', 'East US', 'EastUS'), Array(3).fill('eastus'));
  assert.deepEqual(codes('gcp', 'us-central1-a', 'us-central1'), Array(2).fill('us-central1'));
  assert.deepEqual(codes('aws', 'us-east-1-wl1-nyc-wlz-1', 'us-east-1-wl1-nyc1'), Array(2).fill('us-east-1-wl1-nyc1'));
});

test('a code means nothing under another provider, and an unknown one stays as it is said', () => {
  assert.deepEqual(codes('lambda', 'us-east-1', 'US East (N. Virginia)'), ['us-east-1', 'US East (N. Virginia)']);
  assert.deepEqual(read('vastai', 'Texas, US'), { code: 'Texas, US', country: null, segment: null });
});

test('local zones, zones at phone companies and regions for governments are markets of their own; others are not', () => {
  const local = ['us-east-1-bos-1', 'us-west-2-lax-1a', 'cn-north-1-pkx-1', 'us-east-1-wl1', 'eu-west-3-cmn-wlz-1'];
  assert.deepEqual(
    segments('aws', ...local),
    local.map(() => 'local-zone'),
  );
  const government = ['us-gov-west-1', 'us-gov-east-1b', 'AWS GovCloud (US-West)', 'usgw1-az1'];
  assert.deepEqual(
    segments('aws', ...government),
    government.map(() => 'government'),
  );
  assert.deepEqual(segments('azure', 'usgovvirginia', 'US Gov Virginia', 'usdodeast'), Array(3).fill('government'));
  assert.deepEqual(segments('oci', 'us-langley-1', 'uk-gov-london-1'), Array(2).fill('government'));
  const standard = regions.filter(({ segment, code }) => segment === '' && code === '');
  for (const { provider, region } of standard)
    assert.equal(read(provider, region).segment, null, `${provider} ${region}`);
});

test('a zone that came after the table is told by its name', () => {
  assert.deepEqual(segments('aws', 'us-east-1-xyz-1', 'us-east-1-xyz-1a', 'us-gov-south-1'), [
    'local-zone',
    'local-zone',
    'government',
  ]);
  assert.deepEqual(segments('aws', 'eu-central-9'), [null]);
});

test('every code of the table is itself a region of the same provider and country', () => {
  const known = new Map(regions.map(({ provider, region, country }) => [`${provider} ${region}`, country]));
  for (const { provider, code, country } of regions)
    if (code !== '') assert.equal(known.get(`${provider} ${code}`), country, `${provider} ${code}`);
});
