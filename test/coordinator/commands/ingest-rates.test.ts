import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ec2instances } from '../../../coordinator/ingest/connectors/ec2instances.ts';
import { hotMarket, recentRental } from '../../../coordinator/market/hot-market.ts';
import { zipOf } from '../../support/zip-of.ts';
import { near, sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketCommands, type MarketCommands } from '../market/market-commands.ts';

// In the form of the European Central Bank: units for one euro, a comma behind the last. The 24th is a Friday.
const header = 'Date,USD,JPY,CNY,XAF,';
const history = `${header}\n2025-01-24,1.0500,163.00,7.6000,N/A,\n2025-01-21,1.0400,162.00,7.5000,N/A,\n`;
const daily = 'Date, USD, JPY, CNY, \n5 February 2025, 1.0400, 159.00, 7.5400, \n';
const [friday, tuesday] = [
  { euro: 1.05, yuan: 1.05 / 7.6 },
  { euro: 1.04, yuan: 1.04 / 7.5 },
];

const head = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour,currency';
/** The last but one is of a week that the history has no rates of. */
const offers = [
  '2025-01-21,Lambda,H100 SXM,8,on_demand,20,CNY',
  '2025-01-21,Lambda,H100 SXM,8,on_demand,2,EUR',
  '2025-01-25,Lambda,H100 SXM,8,on_demand,30,CNY',
  '2025-01-26,Lambda,H100 SXM,8,on_demand,3,EUR',
  '2025-02-05,Lambda,H100 SXM,8,on_demand,4,EUR',
  '2025-02-05,Lambda,H100 SXM,8,on_demand,5,USD',
];
const table = [head, ...offers].join('\n');

interface Stored {
  day: string;
  original_price: number;
  currency: string;
  price: number;
  rate: number;
}

const stored = async ({ platform: { sql } }: MarketCommands): Promise<Stored[]> => [
  ...(await sql<Stored[]>`
    select observed_at::date::text as day, original_price, currency, price, rate from observation
    order by observed_at, original_price desc`),
];

test('prices in CNY and EUR become USD by the rate of their day, on a weekend by Friday’s', async (t) => {
  const market = await marketCommands(t);
  const rates = await market.file('eurofxref-hist.csv', history);
  const loaded = await market.command('ingest', 'ecb-rates', rates);
  // EUR, JPY and CNY on two days
  assert.deepEqual(loaded, {
    code: 0,
    stdout: `${rates}: 6 exchange rates, 2025-01-21 to 2025-01-24\n`,
    stderr: '',
  });
  const prices = await market.file('prices.csv', [head, ...offers.filter((row) => !row.endsWith(',4,EUR'))].join('\n'));
  const { stdout } = await market.command('ingest', 'observations', prices);
  // 5 USD after 2.43 and 3.65: more than 1.5 times Lambda's own level.
  assert.equal(
    stdout,
    `${prices}: 5 read, 5 kept (4 days, 2025-01-21 to 2025-02-05)\n         1 vote of 2025-02-05 kept and not counted: ingest report 2025-02-05\n`,
  );
  const rows = await stored(market);
  assert.deepEqual(
    rows.map(({ day, original_price, currency }) => `${day} ${original_price} ${currency}`),
    ['2025-01-21 20 CNY', '2025-01-21 2 EUR', '2025-01-25 30 CNY', '2025-01-26 3 EUR', '2025-02-05 5 USD'],
  );
  for (const [at, rate] of [tuesday.yuan, tuesday.euro, friday.yuan, friday.euro, 1].entries()) {
    near(rows[at]?.rate, rate);
    near(rows[at]?.price, (rows[at]?.original_price ?? 0) * rate);
  }
  // One provider with two offers on the 21st: their median.
  const [priced] = await market.platform.sql<{ price: number }[]>`
    select price from daily_price where day = '2025-01-21' and country = ''`;
  near(priced?.price, (20 * tuesday.yuan + 2 * tuesday.euro) / 2);
});

test('a file with prices in another currency and no rates of their days stops and names the remedy; nothing of it is stored', async (t) => {
  const market = await marketCommands(t);
  const prices = await market.file('prices.csv', table);
  const stops = async (row: number, currency: string, on: string): Promise<void> => {
    const { code, stdout, stderr } = await market.command('ingest', 'observations', prices);
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(
      stderr,
      `${prices}, row ${row}: is in ${currency}, and no exchange rates of ${on} are loaded. Load them with "coordinator ingest ecb-rates" and read the file again; nothing of it is stored.\n`,
    );
    assert.deepEqual(await stored(market), []);
  };
  await stops(1, 'CNY', '2025-01-21');
  // The whole history as the bank packs it, and the day's own file.
  const packed = await market.file('eurofxref-hist.zip', zipOf({ 'eurofxref-hist.csv': history }));
  const ofDay = await market.file('eurofxref.csv', daily);
  assert.equal(
    (await market.command('ingest', 'ecb-rates', packed)).stdout,
    `${packed}/eurofxref-hist.csv: 6 exchange rates, 2025-01-21 to 2025-01-24\n`,
  );
  // The dollars of that day would be all that is left of it.
  await stops(5, 'EUR', '2025-02-05');
  assert.equal(
    (await market.command('ingest', 'ecb-rates', ofDay)).stdout,
    `${ofDay}: 3 exchange rates, 2025-02-05 to 2025-02-05\n`,
  );
  const again = await market.command('ingest', 'observations', prices);
  assert.match(again.stdout, /6 read, 6 kept [^\n]*\n$/);
  const last = (await stored(market)).find(({ currency, day }) => currency === 'EUR' && day === '2025-02-05');
  near(last?.price, 4 * 1.04);
});

test('a rate that the bank corrects is the later one; prices that are stored keep theirs', async (t) => {
  const market = await marketCommands(t);
  await market.command('ingest', 'ecb-rates', await market.file('hist.csv', history));
  await market.command('ingest', 'observations', await market.file('a.csv', `${head}\n${offers[1]}`));
  const corrected = history.replace('2025-01-21,1.0400', '2025-01-21,1.0600');
  await market.command('ingest', 'ecb-rates', await market.file('hist.csv', corrected));
  // One more line end: a copy of the first would count once.
  await market.command('ingest', 'observations', await market.file('b.csv', `${head}\n${offers[1]}\n`));
  assert.deepEqual(
    (await stored(market)).map(({ rate, price }) => [rate, price]),
    [
      [1.04, 2.08],
      [1.06, 2.12],
    ],
  );
});

describe('a table that is not the bank’s', async () => {
  const market = await marketCommands({ after });
  const loaded = await market.command('ingest', 'ecb-rates', await market.file('hist.csv', history));
  assert.equal(loaded.code, 0);
  const rates = async (): Promise<string[]> =>
    (await market.platform.sql<{ row: string }[]>`select r::text as row from exchange_rate r order by 1`).map(
      ({ row }) => row,
    );
  const before = await rates();

  const wrong: Record<string, [content: string | Buffer, sentence: RegExp]> = {
    'nothing at all': ['', /^: has no columns Date and USD/],
    'a header alone': [`${header}\n`, /^: has no rate in it$/],
    'other columns': [`${head}\n${offers[0]}\n`, /^: has no columns Date and USD: it is not the bank’s table/],
    'an HTML page': ['<!DOCTYPE html>\n<html class="a">\n</html>\n', /^: is not a table of rates \(/],
    JSON: ['{"rates": {"USD": 1.04, "CNY": 7.5}}', /^: is not a table of rates \(/],
    'a day that is in no calendar': [history.replace('01-21', '02-30'), /^, row 2: "2025-02-30" is not a date$/],
    'such a day in words': [daily.replace('5 February', '31 February'), /^, row 1: "31 February 2025" is not a date$/],
    'a number for a day': [history.replace('2025-01-24', '7'), /^, row 1: "7" is not a date$/],
    'a day twice': [history.replace('01-24', '01-21'), /^, row 2: the day 2025-01-21 appears twice$/],
    'a rate that is not a number': [history.replace('7.5000', '7,5'), /^: is not a table of rates \(.* line 3\)$/],
    'a rate with something behind it': [history.replace('7.5000', '7.5x'), /^, row 2: "7\.5x" is not a rate of CNY$/],
    'a rate of 0': [history.replace('1.0400', '0'), /^, row 2: "0" is not a rate of USD$/],
    'a rate without end': [history.replace('1.0400', '1e999'), /^, row 2: "1e999" is not a rate of USD$/],
    'an end in the middle of a row': [history.slice(0, -12), /^: is not a table of rates \(.* line 3\)$/],
    'an end inside a quoted cell': [history.replace('7.5000', '"7.5000'), /^: is not a table of rates \(/],
    'a zip cut off': [zipOf({ 'h.csv': history }).subarray(0, -30), /^: is cut off or not a whole zip file/],
    'a gzip cut off': [gzipSync(history).subarray(0, -9), /^: is cut off: the gzip ends/],
  };
  for (const [what, [content, sentence]] of Object.entries(wrong)) {
    test(`${what}: one line that names the file, and the rates are as before`, async () => {
      const path = await market.file('eurofxref.csv', content);
      const { code, stdout, stderr } = await market.command('ingest', 'ecb-rates', path);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^[^\n]+\n$/);
      assert.ok(stderr.startsWith(path), stderr);
      assert.match(stderr.slice(path.length).trimEnd(), sentence);
      assert.deepEqual(await rates(), before);
    });
  }

  test('the list of sources has it', async () => {
    const { stdout } = await market.command('ingest', '--list');
    assert.match(stdout, /^ecb-rates +European Central Bank.*\(exchange rates\)\n +https:\/\/www\.ecb\.europa\.eu\//m);
  });
});

test('China’s price list of AWS: the rate of its day, times what the file says', { skip: withoutShared }, async (t) => {
  const market = await marketCommands(t, { now: new Date('2026-11-20T12:00:00Z') });
  const path = sharedPath('rental/aws-ec2instances/gpu_instances.cn.linux-only.2026-01-21.json.gz');
  const { code, stderr } = await market.command('ingest', 'ec2instances', path);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /is in CNY, and no exchange rates of 2026-01-21 are loaded\. Load them with "coordinator ingest /,
  );
  // Not what the bank published: 1.17 USD and 8.19 CNY for a euro are 1/7 USD for a yuan.
  const rates = await market.file('eurofxref.csv', 'Date,USD,CNY,\n2026-01-21,1.1700,8.1900,\n');
  await market.command('ingest', 'ecb-rates', rates);
  const [report] = await market.ingest(ec2instances, path);
  assert.ok(report?.kind === 'stored');
  assert.equal(report.tally.refused.has('unknown-currency'), false);
  const list = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {
    instance_type: string;
    GPU: number;
    pricing: Record<string, { linux: { ondemand: string } }>;
  }[];
  for (const [type, region] of [
    ['g4dn.xlarge', 'cn-northwest-1'],
    ['g5.48xlarge', 'cn-north-1'],
    ['p3.8xlarge', 'cn-north-1'],
    ['p3.8xlarge', 'cn-northwest-1'],
    ['p4d.24xlarge', 'cn-northwest-1'],
  ] as const) {
    const said = list.find(({ instance_type }) => instance_type === type) ?? assert.fail(type);
    const yuan = Number(said.pricing[region]?.linux.ondemand) / said.GPU;
    const rows = await market.platform.sql<Stored[]>`
      select original_price, currency, price, rate from observation
      where offer = ${type} and region = ${region} and price_type = 0`;
    assert.equal(rows.length, 1, `${type} ${region}`);
    assert.equal(rows[0]?.currency, 'CNY');
    near(rows[0]?.original_price, yuan);
    near(rows[0]?.price, yuan / 7);
  }

  // What the navigator once showed of these in November: the price of January in China.
  const hot = await hotMarket(market.platform)();
  for (const slug of ['nvidia-t4-16gb', 'nvidia-a10g-24gb', 'nvidia-k80-12gb']) {
    const { results } = await market.post('/api/gpu-navigator/gpu-specs', { filter: [{ slug }] });
    const [card] = results as { rental_price: number | null; rental_price_date: string | null }[];
    assert.deepEqual([card?.rental_price, card?.rental_price_date], [null, null], slug);
    const productId = await market.productId(slug);
    const until = (day: string): string | undefined => recentRental(hot, productId, new Date(`${day}T23:59:59Z`))?.day;
    // 30 days after 2026-01-21
    assert.deepEqual(
      [until('2026-01-21'), until('2026-02-20'), until('2026-02-21')],
      ['2026-01-21', '2026-01-21', undefined],
    );
  }
});
