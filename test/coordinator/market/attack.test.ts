import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { seededRandom } from '../../../coordinator/network/schedule/seeded-random.ts';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { hotMarket } from '../../../coordinator/market/hot-market.ts';
import { marketCommands, type MarketCommands } from './market-commands.ts';
import { dayAfter } from './pricing/votes.ts';

/*
 * Eight neoclouds whose list prices move by up to 3 % now and then, five read by one source and three by another, for 47 days.
 * From the 40th day on, for a week, something is wrong with one of them.
 */
const FIRST = '2026-05-01';
const WRONG_FROM = 40;
const DAYS = 47;
const slug = 'nvidia-h100-sxm-80gb';
const ours = ['Lambda', 'Crusoe', 'Nebius', 'Together AI', 'Vultr'];
const daily = ['RunPod', 'Hyperstack', 'Verda'];

type Prices = Map<string, number>;

/** Day by day what each asks, the same for a seed. */
function honestDays(seed: string): Prices[] {
  const source = seededRandom(seed);
  const random = (): number => source.below(1_000_000) / 1_000_000;
  const prices: Prices = new Map([...ours, ...daily].map((provider) => [provider, 1.8 + 2 * random()]));
  return Array.from({ length: DAYS }, () => {
    for (const [provider, price] of prices)
      if (random() < 0.05) prices.set(provider, price * (1 + 0.06 * (random() - 0.5)));
    return new Map(prices);
  });
}

/** What is wrong from a day on: gives what is read then. */
type Wrong = (prices: Prices) => Prices;

async function marketOf(t: TestContext, days: readonly Prices[]): Promise<MarketCommands> {
  const market = await marketCommands(t, { now: new Date(`${dayAfter(FIRST, DAYS)}T12:00:00Z`) });
  const rows = (isDaily: boolean, row: (day: string, provider: string, price: string) => string): string[] =>
    days.flatMap((prices, at) =>
      [...prices]
        .filter(([provider]) => daily.includes(provider) === isDaily)
        .map(([provider, price]) => row(dayAfter(FIRST, at), provider, price.toFixed(6))),
    );
  const own = ['date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour'].concat(
    rows(false, (day, provider, price) => `${day},${provider},H100 SXM,8,on_demand,${price}`),
  );
  const theirs = ['date,provider,gpu_model,rental_type,price_per_gpu_hour_usd'].concat(
    rows(true, (day, provider, price) => `${day},${provider},H100 SXM,on_demand,${price}`),
  );
  const accept = { acceptCoverageDrop: true };
  await market.ingest(observations, await market.file('prices.csv', own.join('\n')), accept);
  await market.ingest(neocloudDaily, await market.file('daily.csv', theirs.join('\n')), accept);
  return market;
}

async function indexOf(market: MarketCommands): Promise<Map<string, number>> {
  const hot = await hotMarket(market.platform)();
  const days = await hot.indexOf({ productId: await market.productId(slug), sellers: 'Neocloud' });
  return new Map([...days].map(([day, { value }]) => [day, value]));
}

const attacks: Record<string, { wrong: Wrong; report: RegExp }> = {
  'one provider lies by a factor of ten': {
    wrong: (prices) => new Map(prices).set('Lambda', 10 * (prices.get('Lambda') ?? 0)),
    report: /lambda .*(outside what|too far from what).*\((9|10)\.\d+ times/,
  },
  'the prices of one provider are divided by ten': {
    wrong: (prices) => new Map(prices).set('RunPod', (prices.get('RunPod') ?? 0) / 10),
    report: /runpod .*(outside what|too far from what).*\(0\.10 times/,
  },
  'a feed halves': {
    wrong: (prices) => new Map([...prices].filter(([provider]) => !['Lambda', 'Crusoe', 'Nebius'].includes(provider))),
    report: /observations +2 \(5\).*rows down 60 %/,
  },
  'a source goes silent': {
    wrong: (prices) => new Map([...prices].filter(([provider]) => !daily.includes(provider))),
    report: /neocloud-daily .*not read/,
  },
  'a new provider joins at twice the price': {
    wrong: (prices) => new Map(prices).set('CoreWeave', 2 * middle(prices)),
    report: /new providers[\s\S]*coreweave/,
  },
  'a price of the card becomes that of the machine': {
    wrong: (prices) => new Map(prices).set('Crusoe', 8 * (prices.get('Crusoe') ?? 0)),
    report: /crusoe .*8 times: the price of a machine of 8\?/,
  },
  'a price of the card is divided by the machine’s eight once more': {
    wrong: (prices) => new Map(prices).set('Verda', (prices.get('Verda') ?? 0) / 8),
    report: /verda .*an eighth: divided by 8 once too often\?/,
  },
};

const middle = (prices: Prices): number => [...prices.values()].toSorted((a, b) => a - b)[prices.size >> 1] ?? 0;

for (const seed of ['a', 'b'])
  test(`attacks on the index, seed ${seed}`, async (t) => {
    const honest = honestDays(seed);
    const clean = await indexOf(await marketOf(t, honest));
    for (const [name, { wrong, report }] of Object.entries(attacks))
      await t.test(`${name}: the index moves by less than 1 %, and the report names it`, async (s) => {
        const market = await marketOf(
          s,
          honest.map((prices, at) => (at >= WRONG_FROM ? wrong(prices) : prices)),
        );
        const attacked = await indexOf(market);
        let most = 0;
        for (let at = 0; at < DAYS; at += 1) {
          const [value, honestly] = [attacked.get(dayAfter(FIRST, at)), clean.get(dayAfter(FIRST, at))];
          assert.ok(value !== undefined && honestly !== undefined, `${name}: no index on day ${at}`);
          most = Math.max(most, Math.abs(value / honestly - 1));
        }
        s.diagnostic(`moved by ${(100 * most).toFixed(3)} % at most`);
        assert.ok(most < 0.01, `${100 * most} %`);
        const { stdout } = await market.command('ingest', 'report', dayAfter(FIRST, WRONG_FROM));
        assert.match(stdout, report);
        if (stdout.includes('too far from what') || stdout.includes('outside what')) {
          const later = await market.command('ingest', 'report', dayAfter(FIRST, WRONG_FROM + 4));
          assert.match(later.stdout, /outside for 5 readings or more: are these prices right\?\n.*ingest accept/);
        }
      });
  });
