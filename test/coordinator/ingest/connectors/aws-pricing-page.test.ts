import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { awsPricingPage } from '../../../../coordinator/ingest/connectors/aws-pricing-page.ts';
import { failure, fixture, near, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';

const fixed = fixture('aws-pricing-page.json');

test('the count, which the page does not say, is that of the machine type; the region is its display name', async () => {
  const { listings } = await readAll(awsPricingPage, sourceOf('page.json', fixed));
  assert.equal(listings.length, 1);
  near(listings[0]?.price, 68.8 / 8);
  const { label, memoryGb, formFactor, gpuCount, region, priceType, provider } = listings[0] ?? assert.fail();
  assert.deepEqual(
    [label, memoryGb, formFactor, gpuCount, region, priceType, provider],
    ['NVIDIA H100', 80, 'SXM', 8, 'EU (Frankfurt)', 0, 'AWS'],
  );
});

test('Windows, SQL Server, machines we do not know, machines without GPUs and rows without a price are refused', async () => {
  const { refused } = await readAll(awsPricingPage, sourceOf('page.json', fixed));
  assert.deepEqual(refused, { 'other-system': 2, 'unknown-count': 1, 'no-accelerator': 1, 'no-price': 1 });
});

test('the sample: nine machines of Northern Virginia, each by its own count', { skip: withoutShared }, async () => {
  const path = 'rental/provider-api-samples/aws.ec2-pricing-page.json';
  const { listings, refused } = await readShared(awsPricingPage, path);
  const gpus: Record<string, number> = { 'g6e.xlarge': 1, 'p5.4xlarge': 1 };
  const text = readFileSync(sharedPath(path), 'utf8');
  const prices = [...text.matchAll(/"price": "([\d.]+)"/g)].map(([, price]) => Number(price));
  const types = [...text.matchAll(/"Instance Type": "([^"]+)"/g)].map(([, type]) => type ?? '');
  assert.deepEqual(refused, {});
  assert.deepEqual(
    listings.map(({ offer, price }) => [offer, price]),
    types.map((type, at) => [type, (prices[at] ?? NaN) / (gpus[type] ?? 8)]),
  );
  assert.equal(listings.length, 9);
});

test('another document is refused by the place where it differs', async () => {
  assert.match(
    await failure(awsPricingPage, sourceOf('p.json', '{"a":{"b":1}}')),
    /^p\.json: is not of this format: a\.regions: /,
  );
  const noType = '{"regions":{"EU (Frankfurt)":{"x":{"price":"1"}}}}';
  assert.match(
    await failure(awsPricingPage, sourceOf('p.json', noType)),
    /^p\.json, row 1: is not of this format: regions\.EU \(Frankfurt\)\.x\.Instance Type: /,
  );
});
