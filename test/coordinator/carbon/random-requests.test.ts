import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { z } from 'zod';
import * as routes from '../../../coordinator/contract/carbon-routes.ts';
import { call, makeUser } from '../../support/client.ts';
import { carbonApp } from './carbon-app.ts';

/** A short form of it; `RUNS=20000` is the whole. */
const RUNS = Number(process.env['RUNS'] ?? 1500);

const text = fc.oneof(
  fc.constantFrom(
    '',
    'US',
    'de',
    'JP',
    'AQ',
    'XX',
    '94105',
    '501',
    '100-0001',
    'aws',
    'AWS',
    'us-east-1',
    'gcp',
    'nobody',
  ),
  fc.constantFrom('nvidia-h100-sxm-80gb', 'H100', 'NVIDIA H100 SXM 80GB', 'no such', '1', '0', '-1', '1e400', ' 2.5 '),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
);
const value = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.constant(null),
  fc.boolean(),
  fc.array(text, { maxLength: 2 }),
);
const names = [
  'gpu_slug',
  'gpu_name',
  'hours_used',
  'zipcode',
  'country_code',
  'provider',
  'provider_code',
  'country_name',
];
const plausible = {
  gpu_slug: fc.constantFrom('nvidia-h100-sxm-80gb', 'NVIDIA-A100-SXM-80GB', 'none', null),
  hours_used: fc.oneof(fc.constantFrom('1', 24, 0.5), value),
  zipcode: fc.oneof(fc.constantFrom('94105', '', 'K1A 0B1'), text),
  country_code: fc.oneof(fc.constantFrom('US', 'CA', 'fr', 'AQ'), text),
  provider: fc.oneof(fc.constantFrom('aws', 'gcp', 'x'), text),
  provider_code: fc.oneof(fc.constantFrom('us-east-1', 'us-central1'), text),
};
const fields = fc.oneof(
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 }),
  fc.record(plausible, { requiredKeys: [] }),
  fc.record(plausible),
);
const operation = fc.constantFrom(
  ...Object.values(routes).map(({ method, path, responses }) => ({ method, path, responses })),
);

test(`${RUNS} random requests over the eleven endpoints: no status and no shape that the document does not have`, async (t) => {
  const app = await carbonApp(t);
  const user = await makeUser(app);
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(
      operation,
      fields,
      text,
      fc.array(fields, { maxLength: 52 }),
      async (chosen, given, name, items) => {
        const path = chosen.path.replace('{provider}', encodeURIComponent(name.toWellFormed() || 'x'));
        const query = new URLSearchParams(
          Object.entries(given).map(([key, said]): [string, string] => [key, String(said)]),
        ).toString();
        const isBatch = path.includes('/batch/');
        const body = isBatch ? { data: items } : given;
        const { status, body: answered } =
          chosen.method === 'post'
            ? await call(app, 'POST', path, { headers: user.authorization, body })
            : await call(app, 'GET', `${path}${query && `?${query}`}`, { headers: user.authorization });
        // A name with a slash or dots is another path.
        if (status === 404 && chosen.path.includes('{provider}')) return;
        seen[status] = (seen[status] ?? 0) + 1;
        const documented = chosen.responses as Record<number, { content: Record<string, { schema: z.ZodType }> }>;
        const schema = documented[status]?.content['application/json']?.schema;
        assert.ok(schema, `${chosen.method} ${path}?${query}: status ${status} ${JSON.stringify(answered)}`);
        const parsed = schema.safeParse(answered);
        assert.ok(parsed.success, `${path}?${query}: ${JSON.stringify(answered).slice(0, 400)}`);
        if (status === 500) {
          const { code } = (answered as { meta: { code: number } }).meta;
          assert.ok(code === -1 || code === 34003, JSON.stringify(answered));
        }
      },
    ),
    { numRuns: RUNS },
  );
  t.diagnostic(JSON.stringify(seen));
  for (const status of [200, 422, 500]) assert.ok((seen[status] ?? 0) > 0, JSON.stringify(seen));
});
