import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Prediction } from '../../../coordinator/contract/prediction.ts';
import { reasonAgainst, train, trainDaily } from '../../../coordinator/prediction/train.ts';
import { createApp } from '../../../coordinator/app.ts';
import { call, makeUser } from '../../support/client.ts';
import { seedVotes } from '../../support/seed-votes.ts';
import { marketApp } from '../market/filled-market.ts';
import { H100, smallMarket } from './small-market.ts';

const body = { slug: H100, country: 'US' };
/** After the night's files. */
const MORNING = new Date('2026-11-23T08:00:00Z');

describe('training', async () => {
  const market = await marketApp({ after }, { now: MORNING }, { tier: 'plus' });
  const { sql } = market.platform;
  await seedVotes(sql, smallMarket());
  const first = (await train(market.context)) ?? assert.fail();
  const states = async (): Promise<string[]> =>
    (await sql<{ state: string }[]>`select state from prediction_model order by trained_at, id`).map(
      ({ state }) => state,
    );

  test('equal data give equal bytes, whatever order they were stored in', async () => {
    const other = await marketApp({ after }, { now: new Date('2027-01-01T08:00:00Z') });
    await seedVotes(other.platform.sql, smallMarket().toReversed());
    const again = (await train(other.context)) ?? assert.fail();
    assert.equal(again.model_version, first.model_version);
    const bytes = async (of: typeof sql): Promise<Buffer | undefined> =>
      (await of<{ document: Buffer }[]>`select document from prediction_model`)[0]?.document;
    assert.deepEqual(await bytes(other.platform.sql), await bytes(sql));
  });

  test('the same once more is not a new model', async () => {
    assert.equal((await train(market.context))?.outcome, 'unchanged');
    assert.deepEqual(await states(), ['serving']);
  });

  test('a model that errs more than 1.1 times as much is stored and refused, and the one before it answers', async () => {
    const before = (await market.post('/api/price-iq/predict', body)) as unknown as Prediction;
    // Four products come whose providers ask for four times or a quarter of each other's price: no model of the market knows why.
    const products = ['nvidia-l40s-48gb', 'nvidia-h200-sxm-141gb', 'nvidia-b200-192gb', 'nvidia-a100-pcie-80gb'];
    const wild = (_: string, provider: number): number => 3 * 4 ** ((provider % 3) - 1);
    await seedVotes(sql, smallMarket({ products, price: wild }));
    const refused = (await train(market.context)) ?? assert.fail();
    assert.equal(refused.outcome, 'refused');
    assert.match(refused.why ?? '', /the median error is .* more than 1\.1 times the/);
    assert.deepEqual(await states(), ['serving', 'refused']);
    market.clock.advance({ seconds: 1 });
    const now = (await market.post('/api/price-iq/predict', body)) as unknown as Prediction;
    assert.deepEqual(now, before);
  });

  test('every replica answers by a model that is accepted elsewhere, without a restart', async () => {
    const replica = createApp(market.platform, { processMetrics: false, isDraining: () => false });
    const user = await makeUser(market, { tier: 'plus' });
    const versions = async (): Promise<unknown[]> =>
      Promise.all(
        [market.app, replica].map(async (app) => {
          const answer = await call({ ...market, app }, 'POST', '/api/price-iq/predict', {
            headers: user.authorization,
            body,
          });
          return (answer.body as { data: Prediction }).data.model_version;
        }),
      );
    assert.deepEqual(await versions(), [first.model_version, first.model_version]);
    const second = (await train(market.context, { accept: true })) ?? assert.fail();
    assert.equal(second.outcome, 'serving');
    assert.deepEqual(await states(), ['retired', 'serving']);
    market.clock.advance({ seconds: 1 });
    assert.deepEqual(await versions(), [second.model_version, second.model_version]);
  });

  test('in the background it trains once a day, by one of the coordinators', async () => {
    const days = async (): Promise<unknown[]> => [
      ...(await sql`select day::text, ended_at is not null as ended from prediction_training order by day`),
    ];
    await Promise.all([trainDaily(market.context), trainDaily(market.context)]);
    await trainDaily(market.context);
    assert.deepEqual(await days(), [{ day: '2026-11-23', ended: true }]);
    market.clock.advance({ days: 1 });
    await trainDaily(market.context);
    assert.equal((await days()).length, 2);
  });
});

test('what keeps a model from serving', () => {
  const passed = { votes: 100, mape: 0.3, median_ape: 0.2, coverage_80: 0.8, judged_coverage: 0.8 };
  assert.equal(reasonAgainst(passed, null), null);
  assert.equal(reasonAgainst(passed, { median_ape: 0.19 }), null);
  assert.match(
    reasonAgainst(passed, { median_ape: 0.18 }) ?? '',
    /the median error is 20\.0 %, more than 1\.1 times the 18\.0 %/,
  );
  for (const judged_coverage of [0.69, 0.91])
    assert.match(reasonAgainst({ ...passed, judged_coverage }, null) ?? '', /must be 70\.0 % to 90\.0 %/);
  for (const judged_coverage of [0.7, 0.9, null])
    assert.equal(reasonAgainst({ ...passed, judged_coverage }, null), null);
});
