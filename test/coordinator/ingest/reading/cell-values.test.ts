import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountIn, rememberingUtcTime, utcTime } from '../../../../coordinator/ingest/reading/cell-values.ts';
import { dateInName, providerInName } from '../../../../coordinator/ingest/reading/file-names.ts';

test('an amount is read with a dollar sign, thousands and an exponent; what says none is null; the rest is not a number', () => {
  const read: [string | number | null | undefined, number | null][] = [
    ['40.97', 40.97],
    ['$2,918', 2918],
    ['$ 0.4', 0.4],
    ['-$3', -3],
    ['-0.5', -0.5],
    ['1e-05', 0.00001],
    ['.5', 0.5],
    ['8.0', 8],
    ['24,990.00', 24990],
    [' 7 ', 7],
    [3, 3],
    ['', null],
    ['  ', null],
    ['—', null],
    ['N/A', null],
    [null, null],
    [undefined, null],
    ['1,5', NaN],
    ['1.234,5', NaN],
    ['0x10', NaN],
    ['Infinity', NaN],
    ['H100', NaN],
    ['2.5 USD', NaN],
    ['1,2345', NaN],
  ];
  for (const [text, amount] of read) assert.equal(amountIn(text), amount, JSON.stringify(text));
});

test('a time without a zone is UTC; days that no calendar has and other writings are invalid', () => {
  const read: [string, string | null][] = [
    ['2026-10-10', '2026-10-10T00:00:00.000Z'],
    ['2026-10-10T12:33:53+00:00', '2026-10-10T12:33:53.000Z'],
    ['2026-10-10T12:33:53+0530', '2026-10-10T07:03:53.000Z'],
    ['2026-02-11T21:00:03.28764+00:00', '2026-02-11T21:00:03.287Z'],
    ['2024-03-11T01:28:00', '2024-03-11T01:28:00.000Z'],
    ['2024-03-11 01:28', '2024-03-11T01:28:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-02-29', null],
    ['2026-13-01', null],
    ['2026-10-10T25:00:00', null],
    ['10/10/2026', null],
    ['46305', null],
    ['', null],
  ];
  const remembering = rememberingUtcTime();
  for (const [text, iso] of [...read, ...read]) {
    const expected = iso === null ? NaN : Date.parse(iso);
    assert.equal(utcTime(text).getTime(), expected, text);
    assert.equal(remembering(text).getTime(), expected, text);
  }
});

test('the day in a name is the last one that the calendar has, in the path and not in a query', () => {
  const named: [string, string | null][] = [
    ['cloud-gpus.2022-08-04.csv', '2022-08-04'],
    ['/data/2025-11-30/gpu.cn.2026-01-21.json.gz', '2026-01-21'],
    ['openrouter/2026-07-31/models.json.gz', '2026-07-31'],
    ['https://example.org/v3/aws/20261119-123456/catalog.zip?at=2020-01-01', '2026-11-19'],
    ['video-card.csv', null],
    ['prices.2026-02-30.csv', null],
    ['id-120260101234.csv', null],
    ['https://example.org/prices?date=2026-01-01', null],
  ];
  for (const [name, day] of named) assert.equal(dateInName(name)?.toISOString().slice(0, 10) ?? null, day, name);
});

test('the provider is the first word of the file, else of the folders around it, and only one that is known', () => {
  const known = new Set(['aws', 'vast', 'lambda']);
  assert.equal(providerInName('shared/aws.vms.sample.csv', known, 1), 'aws');
  assert.equal(providerInName('https://example.org/catalogs/v8/vast/vms.csv?raw=1', known, 1), 'vast');
  assert.equal(providerInName('/v3/aws/latest/catalog.zip/Lambda.csv', known, 4), 'lambda');
  assert.equal(providerInName('/v3/aws/latest/catalog.zip', known, 4), 'aws');
  assert.equal(providerInName('/home/lambda/downloads/vms.csv', known, 1), null);
  assert.equal(providerInName('vms.csv', known, 1), null);
});
