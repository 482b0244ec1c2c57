import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cheapestByProvider } from '../../../../coordinator/ingest/connectors/cheapest-by-provider.ts';
import { failure, fixture, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';

const fixed = fixture('cheapest-by-provider.jsonl');

test('each model of each provider is a price on demand at the time of collection; the remark on the form is not part of the name', async () => {
  const { listings, lines } = await readAll(cheapestByProvider, sourceOf('c.jsonl', fixed));
  assert.deepEqual(
    listings.map(({ provider, label, formFactor, price, priceType }) => [
      provider,
      label,
      formFactor,
      price,
      priceType,
    ]),
    [
      ['vultr', 'A16 16GB', null, 0.4709, 0],
      ['vultr', 'L40S 48GB', null, 1.671, 0],
      ['lambdalabs', 'V100 16GB', null, 0.79, 0],
      ['lambdalabs', 'A100 40GB SXM', 'SXM', 1.99, 0],
    ],
  );
  assert.equal(listings[0]?.observedAt.toISOString(), '2026-10-01T13:13:26.000Z');
  assert.deepEqual(lines, ['c.jsonl, row 1: no price in it (lambdalabs H100 80GB PCIe)']);
});

test('the day that we hold', { skip: withoutShared }, async () => {
  const path = 'rental/observatory/cheapest_by_provider.2026-10-01.jsonl';
  const { listings, refused } = await readShared(cheapestByProvider, path);
  const { cheapest } = JSON.parse(readFileSync(sharedPath(path), 'utf8')) as {
    cheapest: Record<string, Record<string, number>>;
  };
  assert.deepEqual(refused, {});
  assert.deepEqual(
    listings.map(({ provider, price }) => [provider, price]),
    Object.entries(cheapest).flatMap(([provider, prices]) => Object.values(prices).map((price) => [provider, price])),
  );
  assert.equal(Object.keys(cheapest).length, 6);
});

test('a line of another shape is an error; a negative price is refused with its row', async () => {
  assert.match(
    await failure(cheapestByProvider, sourceOf('c.jsonl', '{"cheapest": []}\n')),
    /^c\.jsonl, row 1: is not of this format: /,
  );
  const { lines } = await readAll(cheapestByProvider, sourceOf('c.jsonl', fixed.replace('0.4709', '-0.4709')));
  assert.equal(lines[0], 'c.jsonl, row 1: the price is not a number above 0 (price -0.4709)');
});
