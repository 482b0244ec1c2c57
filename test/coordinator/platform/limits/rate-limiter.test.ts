import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connectDatabase } from '../../../../coordinator/platform/db/client.ts';
import { exchangeTokens, type Ask } from '../../../../coordinator/platform/limits/queries.ts';
import { createRateLimiter, MOST_SHARES } from '../../../../coordinator/platform/limits/rate-limiter.ts';
import type { Rate } from '../../../../coordinator/platform/limits/rate.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { until } from '../../../support/until.ts';

const { sql, url } = await freshDatabase({ after });

const bucketOf = (id: string) => ({ kind: 'user', id }) as const;

/** A limiter with a count of its questions; `time` is its own clock in ms, the real one by default. */
function limiterOver(pool: typeof sql, now: () => number = () => performance.now()) {
  const asked: Ask[][] = [];
  const failures: unknown[] = [];
  const limiter = createRateLimiter({
    lend: (asks) => {
      asked.push([...asks]);
      return exchangeTokens(pool, asks);
    },
    now,
    onAlone: (error) => failures.push(error),
  });
  return { limiter, asked, failures };
}

const take = async (limiter: ReturnType<typeof createRateLimiter>, key: string, rate: Rate) =>
  limiter.take(bucketOf(key), rate);

async function passedOf(limiter: ReturnType<typeof createRateLimiter>, key: string, rate: Rate, calls: number) {
  const taken = await Promise.all(Array.from({ length: calls }, () => take(limiter, key, rate)));
  return taken.filter(({ allowed }) => allowed).length;
}

const tokensOf = async (key: string) =>
  (await sql<{ tokens: number }[]>`select tokens from rate_bucket where key = ${`user:${key}`}`)[0]?.tokens;

test('of 1,000 parallel requests on the last token exactly one passes', async () => {
  // One token a minute: nothing is refilled while the test runs.
  const rate = { perMinute: 1, burst: 100 };
  await exchangeTokens(sql, [{ key: 'user:last', ...rate, wanted: 99 }]);
  const { limiter, asked } = limiterOver(sql);
  assert.equal(await passedOf(limiter, 'last', rate, 1000), 1);
  assert.ok(asked.length <= 2, `${asked.length} questions for 1,000 requests`);
});

test('a whole burst passes, and not one more', async () => {
  const rate = { perMinute: 1, burst: 300 };
  const { limiter } = limiterOver(sql);
  assert.equal(await passedOf(limiter, 'burst', rate, 1000), 300);
});

test('a leased token costs no question: a lease is a fiftieth of the bucket', async () => {
  const rate = { perMinute: 1, burst: 1000 };
  // The clock stands 2 s apart between leases, so that none was used up quickly.
  let time = 0;
  const { limiter, asked } = limiterOver(sql, () => (time += 2000));
  await take(limiter, 'leased', rate);
  assert.deepEqual(
    asked.map((asks) => asks.map(({ wanted }) => wanted)),
    [[20]],
  );
  for (let n = 0; n < 9; n += 1) assert.ok(!(limiter.take(bucketOf('leased'), rate) instanceof Promise), 'at once');
  // 20 - 1 - 9 = 10 held, half: the next lease is on its way, and nobody waits for it.
  assert.equal(asked.length, 1, 'gathered with those of others');
  await until('the lease fetched ahead', () => asked.length === 2);
  assert.deepEqual(
    asked[1]?.map(({ wanted }) => wanted),
    [10],
  );
});

test('three processes together allow what the bucket has, however much is asked of each', async () => {
  const rate = { perMinute: 600, burst: 300 };
  const pools = Array.from({ length: 3 }, () => connectDatabase({ url, max: 2 }));
  try {
    const limiters = pools.map((pool) => limiterOver(pool).limiter);
    const startedAt = performance.now();
    let passed = 0;
    // 3 x 30 crowds of 50: 4,500 requests.
    await Promise.all(
      limiters.map(async (limiter) => {
        for (let crowd = 0; crowd < 30; crowd += 1) {
          const more = await passedOf(limiter, 'three', rate, 50);
          passed += more;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }),
    );
    const refilled = ((performance.now() - startedAt) / 60_000) * rate.perMinute;
    assert.ok(passed <= rate.burst * 1.1 + refilled, `${passed} of ${rate.burst} and ${refilled} refilled`);
    // Nor much less: at most a tenth of the bucket lies idle in the three.
    assert.ok(passed >= rate.burst * 0.9, `${passed} of ${rate.burst}`);
  } finally {
    await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })));
  }
});

test('three processes that had a pause allow at most a tenth more than a burst', async () => {
  const rate = { perMinute: 1, burst: 300 };
  const limiters = Array.from({ length: 3 }, () => limiterOver(sql).limiter);
  for (const limiter of limiters) await passedOf(limiter, 'pause', rate, 2);
  // The pause: the shared bucket is full again while each still holds its lease.
  await sql`update rate_bucket set tokens = burst where key = 'user:pause'`;
  const passed = await Promise.all(limiters.map((limiter) => passedOf(limiter, 'pause', rate, 400)));
  const all = passed.reduce((a, b) => a + b);
  assert.ok(all >= 300 && all <= 330, `${all} passed`);
});

test('the database is not asked again before a token can be there', async () => {
  const rate = { perMinute: 60, burst: 5 };
  await exchangeTokens(sql, [{ key: 'user:refused', ...rate, wanted: 5 }]);
  let time = 0;
  const { limiter, asked } = limiterOver(sql, () => time);
  const first = await take(limiter, 'refused', rate);
  assert.deepEqual([first.allowed, first.retryAfterSeconds, first.remaining], [false, 1, 0]);
  const before = asked.length;
  for (let n = 0; n < 100; n += 1) assert.ok(!(limiter.take(bucketOf('refused'), rate) instanceof Promise));
  assert.equal(asked.length, before);
  // One a second: at 1,000 ms by the limiter's clock it asks again.
  time = 1001;
  await take(limiter, 'refused', rate);
  assert.equal(asked.length, before + 1);
});

test('a token comes back at the rate of the bucket, by the clock of the database', async () => {
  const rate = { perMinute: 60, burst: 10 };
  await exchangeTokens(sql, [{ key: 'user:refill', ...rate, wanted: 10 }]);
  await sql`update rate_bucket set at = at - interval '4 seconds' where key = 'user:refill'`;
  const { limiter } = limiterOver(sql);
  // 4 s at one a second; the statements themselves take well under a second more.
  assert.equal(await passedOf(limiter, 'refill', rate, 50), 4);
});

test('a database clock that was set back costs no more than the time itself', async () => {
  const rate = { perMinute: 60, burst: 10 };
  await exchangeTokens(sql, [{ key: 'user:back', ...rate, wanted: 8 }]);
  await sql`update rate_bucket set at = now() + interval '1 hour' where key = 'user:back'`;
  // Two tokens were left and none is made up for the hour.
  assert.deepEqual(
    [...(await exchangeTokens(sql, [{ key: 'user:back', ...rate, wanted: 5 }]))],
    [{ key: 'user:back', granted: 2, left: 0 }],
  );
  await sql`update rate_bucket set at = at - interval '3 seconds' where key = 'user:back'`;
  const [answer] = await exchangeTokens(sql, [{ key: 'user:back', ...rate, wanted: 5 }]);
  assert.equal(answer?.granted, 3, 'the count goes on from now, not from an hour ahead');
});

test('another rate takes effect with the next request, also for a caller who is being refused', async () => {
  const small = { perMinute: 1, burst: 2 };
  const { limiter } = limiterOver(sql);
  assert.equal(await passedOf(limiter, 'tier', small, 5), 2);
  assert.equal((await take(limiter, 'tier', small)).allowed, false);
  // A larger bucket begins with what the small one had, and fills by its own rate: 60,000 a minute are 100 in 100 ms.
  await sql`update rate_bucket set at = at - interval '100 milliseconds' where key = 'user:tier'`;
  const large = { perMinute: 60_000, burst: 100 };
  assert.equal((await take(limiter, 'tier', large)).allowed, true);
  // And a smaller one cuts off what is above it.
  await sql`update rate_bucket set tokens = 100 where key = 'user:tier'`;
  assert.ok((await passedOf(limiterOver(sql).limiter, 'tier', small, 50)) <= 2);
});

test('what is given back is there for others, and no more than the bucket holds', async () => {
  const rate = { perMinute: 1, burst: 100 };
  await exchangeTokens(sql, [{ key: 'user:given', ...rate, wanted: 10 }]);
  await exchangeTokens(sql, [{ key: 'user:given', ...rate, wanted: -4 }]);
  const tokens = (await tokensOf('given')) ?? 0;
  assert.ok(tokens >= 94 && tokens < 94.1, `${tokens}`);
  await exchangeTokens(sql, [{ key: 'user:given', ...rate, wanted: -50 }]);
  assert.equal(await tokensOf('given'), 100);
});

test('a lease that nobody uses for five seconds goes back', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const rate = { perMinute: 1, burst: 1000 };
  let time = 0;
  const { limiter, asked } = limiterOver(sql, () => time);
  await take(limiter, 'idle', rate);
  time = 4999;
  t.mock.timers.tick(5000);
  assert.equal(asked.length, 1, 'used less than five seconds ago');
  time = 10_000;
  t.mock.timers.tick(5000);
  // 20 leased, 1 spent
  assert.deepEqual(
    asked[1]?.map(({ wanted }) => wanted),
    [-19],
  );
  // The next answer of the same database comes after that of the give-back.
  await take(limiter, 'other', rate);
  const tokens = (await tokensOf('idle')) ?? 0;
  assert.ok(tokens >= 999 && tokens < 999.1, `${tokens}`);
});

test('no more than the most buckets are remembered, and the one in use stays', async () => {
  const limiter = createRateLimiter({
    lend: async (asks) => asks.map(({ key, wanted, burst }) => ({ key, granted: wanted, left: burst - wanted })),
    now: () => performance.now(),
    onAlone: () => undefined,
  });
  const rate = { perMinute: 1, burst: 1000 };
  await take(limiter, 'kept', rate);
  for (let n = 0; n < MOST_SHARES + 100; n += 1) {
    await take(limiter, `key ${n}`, rate);
    if (n % 1000 === 0) await take(limiter, 'kept', rate);
  }
  assert.equal(limiter.size(), MOST_SHARES);
  assert.ok(!(limiter.take(bucketOf('kept'), rate) instanceof Promise), 'its lease is remembered');
  assert.ok(limiter.take(bucketOf('key 0'), rate) instanceof Promise, 'the longest unused made room');
});
