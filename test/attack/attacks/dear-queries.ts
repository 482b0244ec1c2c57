import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { connectDatabase } from '../../../coordinator/platform/db/client.ts';
import { DATABASE_NAME, DATABASE_USER } from '../../../coordinator/platform/db/embedded/readiness.ts';
import { SOCKET_PORT } from '../../../coordinator/platform/db/embedded/find-server.ts';
import { quantile } from '../../bench/coordinator/load.ts';
import type { Attack, Finding } from '../attack.ts';
import type { Site } from '../site.ts';

const AT_ONCE = 60;
/** Seconds that each flood lasts. */
const SECONDS = { short: 0.3, full: 15 };
/** Rows of each day: products times countries, and models times sellers. */
const SIZES = { short: { products: 2, countries: 2, models: 20 }, full: { products: 12, countries: 10, models: 200 } };
const SELLERS = 4;
/** Milliseconds of the slowest hundredth of the innocent tenant's calls and of its sign-ins. */
const MOST_MS = 300;

const PRICES = '/api/data-hub/gpu/country/filter-price';
const BOOK = '/api/token-price/book/preview';

/**
 * Without rate limits, as all attacks: with them a customer has few such requests a minute. Pages far behind the first of
 * everything that there is: each costs the database what all pages before it cost.
 */
export const attack: Attack = {
  title: 'take the database with few requests that read years of prices to show a page far behind the first',
  mostP99Ms: MOST_MS,
  run: async (site) => {
    await fill(site);
    const quiet = await flood(site, ['nothing, to compare with', PRICES, () => ({})], 0);
    const findings: Finding[] = [{ ...quiet, held: true }];
    for (const one of floods(new Date())) findings.push(await flood(site, one, AT_ONCE));
    return findings;
  },
};

type Flood = [tried: string, path: string, bodyOf: (n: number) => object];

function floods(now: Date): Flood[] {
  const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  const between = (start: string, end: string) => [{ start_date: start }, { end_date: end }];
  const price = (n: number) => [{ price: n % 2 === 0 ? 'asc' : 'desc' }, { country: 'asc' }];
  return [
    [
      'prices of 2018 to today, page 100 and beyond',
      PRICES,
      (n) => ({
        filter: between('2018-01-01', daysAgo(0)),
        paginate: { num_per_page: 100, page_num: 100 + (n % 900) },
      }),
    ],
    [
      'prices of a year ordered by price, page 100 and beyond',
      PRICES,
      (n) => ({
        filter: between(daysAgo(365 + (n % 50)), daysAgo(n % 50)),
        order_by: price(n),
        paginate: { num_per_page: 100, page_num: 100 + (n % 900) },
      }),
    ],
    [
      'the dearest pages of prices that are answered',
      PRICES,
      (n) => ({
        filter: between(daysAgo(366 + (n % 50)), daysAgo(n % 50)),
        order_by: price(n),
        paginate: { num_per_page: 100, page_num: 100 - (n % 20) },
      }),
    ],
    [
      'the price book of 89 days, page 100',
      BOOK,
      (n) => ({
        filter: between(daysAgo(90 + (n % 7)), daysAgo(1 + (n % 7))),
        order_by: [{ price_input: n % 2 === 0 ? 'asc' : 'desc' }],
        paginate: { num_per_page: 100, page_num: 100 - (n % 20) },
      }),
    ],
  ];
}

/** As many at once as the attacker likes, each as soon as the last is answered, while the innocent tenant signs in. */
async function flood(site: Site, [tried, path, bodyOf]: Flood, atOnce: number): Promise<Finding> {
  const over = new AbortController();
  const statuses: Record<number, number> = {};
  const wrong: string[] = [];
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const answer = await site.hostile.call('POST', path, { body: bodyOf((sent += 1)) }).catch(() => null);
      if (answer === null) {
        wrong.push('no answer');
        continue;
      }
      const { status, headers, body } = answer;
      statuses[status] = (statuses[status] ?? 0) + 1;
      const isTold = headers['retry-after'] !== undefined;
      if (status !== 200 && status !== 422 && !isTold) wrong.push(`${status} ${JSON.stringify(body).slice(0, 120)}`);
      // Who is told to wait comes again much sooner all the same, and does not spin: a flood of refusals is another attack.
      if (status !== 200) await delay(100);
    }
  };
  const lanes = Array.from({ length: atOnce }, lane);
  const signIns: number[] = [];
  const until = performance.now() + (site.short ? SECONDS.short : SECONDS.full) * 1000;
  try {
    while (performance.now() < until) {
      const began = performance.now();
      await site.innocent.signInAgain();
      signIns.push(performance.now() - began);
      await delay(site.short ? 50 : 250);
    }
  } finally {
    over.abort();
    await Promise.all(lanes);
  }
  const [p50, p99] = [quantile(signIns, 0.5), quantile(signIns, 0.99)];
  return {
    tried: `${atOnce} at once: ${tried}`,
    answer: `${JSON.stringify(statuses)}; ${signIns.length} sign-ins of the innocent tenant: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms${wrong.length === 0 ? '' : `; ${wrong[0]}`}`,
    // What a delay is, is judged by `make attack` alone.
    held: wrong.length === 0 && (site.short || p99 < MOST_MS),
  };
}

/** Prices of every day from 2018 on, and a price book of 100 days. */
async function fill({ dataDir, short }: Site): Promise<void> {
  const { products, countries, models } = short ? SIZES.short : SIZES.full;
  const host = join(dataDir, 'postgres', 'cluster');
  const embedded = { host, port: SOCKET_PORT, database: DATABASE_NAME, user: DATABASE_USER };
  const sql = connectDatabase({ embedded, max: 1, applicationName: 'attack', statementTimeoutMs: 300_000 });
  try {
    await sql`
      select add_market_partition('daily_price', 'daily_price_' || year, make_date(year, 1, 1), make_date(year + 1, 1, 1))
      from generate_series(2018, extract(year from now())::int) year`;
    await sql`
      insert into daily_price
        (day, product_id, price_type, country, price, price_median, provider_count, sample_size, p10, p90, oldest_quote, status)
      select day::date, product_id, 0, country, 1 + random(), 1.5, 3, 9, 1, 2, day::date, 'ok'
      from generate_series('2018-01-01'::date, current_date, '1 day') day,
        (select product_id from product order by product_id limit ${products}) products,
        unnest((array['US','DE','FR','GB','JP','IN','CA','SE','FI','NO','NL','SG'])[1:${countries}]) country`;
    await sql`
      insert into token_model_day (day, model, developer, model_name, model_type, model_status)
      select day::date, 'maker/model-' || n, 'maker', 'model-' || n, 'open-source', 'active'
      from generate_series(current_date - 100, current_date, '1 day') day, generate_series(1, ${models}) n`;
    await sql`
      insert into token_book (day, model, source_id, source_type, price_input, price_output, source, observed_on, run_id)
      select day, model, 'seller-' || seller, 'model-platform', random(), random(), 'attack', day, 1
      from token_model_day, generate_series(1, ${SELLERS}) seller`;
    await sql`analyze daily_price, token_model_day, token_book`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
