import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { call, makeUser } from '../../support/client.ts';
import { marketCommands } from './market-commands.ts';

const slug = 'nvidia-h100-sxm-80gb';
const header = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour,country,region,sku';
const explainPath = '/api/data-hub/gpu/explain';
const restatementsPath = '/api/data-hub/gpu/restatements';

describe('what stands behind a price', async () => {
  const market = await marketCommands({ after }, { now: new Date('2026-08-24T12:00:00Z') });
  const read = async (...rows: string[]) =>
    market.ingest(observations, await market.file('prices.csv', [header, ...rows].join('\n')), {
      acceptCoverageDrop: true,
    });
  const steady = ['20', '21', '22'].flatMap((day) => [
    `2026-08-${day},Lambda,H100 SXM,8,on_demand,2.00,US,us-1,gpu_8x`,
    `2026-08-${day},Crusoe,H100 SXM,8,on_demand,3.20,US,us-2,h100.8x`,
    `2026-08-${day},Nebius,H100 SXM,8,on_demand,4.20,FI,fi-1,`,
  ]);
  await read(
    ...steady,
    '2026-08-22,Nebius,H100 SXM,1,on_demand,9.00,FI,fi-1,one',
    '2026-08-23,Lambda,H100 SXM,8,on_demand,2.10,US,us-1,gpu_8x',
    '2026-08-23,Crusoe,H100 SXM,8,on_demand,25.60,US,us-2,h100.8x',
    '2026-08-23,Nebius,H100 SXM,8,on_demand,4.20,FI,fi-1,',
  );
  const professional = await makeUser(market, { tier: 'professional' });
  const product_id = await market.productId(slug);
  const explain = async (body: unknown, { authorization } = professional) => {
    const { status, body: answered } = await call(market, 'POST', explainPath, { body, headers: authorization });
    return { status, body: answered as unknown as { meta?: { code: number }; data: Record<string, never> } };
  };

  test('votes with their reasons, rows with their fates, and the index down to its ratios', async () => {
    const { status, body } = await explain({ product_id, date: '2026-08-23' });
    assert.equal(status, 200);
    const data = body.data as unknown as {
      price: { price: number; median: number; provider_count: number; status: string; country: string };
      votes: {
        provider: string;
        price: number;
        counted: boolean;
        reason: string | null;
        own_level: number;
        own_days: number;
      }[];
      observations: { total: number; results: { provider: string; fate: string; in_vote: boolean; file: string }[] };
      index: { index_version: string; value: number; linked_to: unknown; contributions: { provider: string }[] }[];
    };
    // Crusoe's 25.60 is above what the card costs at most, 25: the mean of 2.10 and 4.20
    assert.deepEqual(
      [data.price.price, data.price.median, data.price.provider_count, data.price.status, data.price.country],
      [3.15, 3.15, 2, 'thin', 'WW'],
    );
    // Each is the median of the three days before, the 20th to the 22nd.
    assert.deepEqual(
      data.votes.map(({ provider, price, counted, reason, own_level, own_days }) => [
        provider,
        price,
        counted,
        reason,
        own_level,
        own_days,
      ]),
      [
        ['Lambda', 2.1, true, null, 2, 3],
        ['Nebius', 4.2, true, null, 4.2, 3],
        ['Crusoe', 25.6, false, 'outside what this product plausibly costs', 3.2, 3],
      ],
    );
    assert.deepEqual(
      data.observations.results.map(({ provider, in_vote, fate, file }) => [provider, in_vote, fate, file]),
      [
        [
          'Crusoe',
          true,
          'is in its provider’s vote, which is not counted: outside what this product plausibly costs',
          'prices.csv',
        ],
        ['Lambda', true, 'is in its provider’s vote', 'prices.csv'],
        ['Nebius', true, 'is in its provider’s vote', 'prices.csv'],
      ],
    );
    // The three of the day before are still quoted: Crusoe's 3.20 holds for a week. Only Lambda moved.
    const neo = data.index.find(({ index_version }) => index_version === 'neo');
    assert.ok(Math.abs((neo?.value ?? 0) - (2 * 3.2 * 4.2) ** (1 / 3) * (2.1 / 2) ** (1 / 3)) < 1e-12);
    assert.deepEqual(
      neo?.contributions.map((one) => ({ ...one, weight: undefined })),
      [
        { provider: 'Lambda', price: 2.1, quoted: '2026-08-23', price_before: 2, weight: undefined },
        { provider: 'Crusoe', price: 3.2, quoted: '2026-08-22', price_before: 3.2, weight: undefined },
        { provider: 'Nebius', price: 4.2, quoted: '2026-08-23', price_before: 4.2, weight: undefined },
      ],
    );
  });

  test('a row that is not of the standard machine says so; pages of rows; a country', async () => {
    const asked = { product_id, date: '2026-08-22', country: 'fi', num_per_page: 1 };
    const pages = await Promise.all([1, 2].map((page_num) => explain({ ...asked, page_num })));
    const rows = pages.map(
      ({ body }) =>
        (body.data as unknown as { observations: { total: number; results: { price: number; fate: string }[] } })
          .observations,
    );
    assert.deepEqual(
      rows.map(({ total, results: [row] }) => [total, row?.price, row?.fate]),
      [
        [2, 4.2, 'is in its provider’s vote'],
        [2, 9, 'not the standard machine: another number of accelerators'],
      ],
    );
    assert.deepEqual((pages[0]?.body.data as { index?: unknown } | undefined)?.index, []);
  });

  test('is for Professional and above; unknown products and wrong fields are named', async () => {
    const codes: Record<string, number | undefined> = {};
    for (const tier of ['basic', 'plus', 'professional', 'enterprise'] as const) {
      const { status, body } = await explain({ product_id, date: '2026-08-23' }, await makeUser(market, { tier }));
      codes[tier] = status === 200 ? 200 : body.meta?.code;
    }
    assert.deepEqual(codes, { basic: 34004, plus: 34004, professional: 200, enterprise: 200 });
    assert.equal((await explain({ product_id: 999_999, date: '2026-08-23' })).status, 404);
    assert.equal((await explain({ product_id, date: '2026-02-30' })).status, 422);
    assert.equal((await call(market, 'POST', explainPath, { body: { product_id, date: '2026-08-23' } })).status, 401);
  });

  test('the command prints the same', async () => {
    const { stdout } = await market.command('ingest', 'explain', slug, '2026-08-23');
    assert.match(
      stdout,
      /On-Demand +all +Crusoe +25\.6000 +1 +3\.2000 +not counted: outside what this product plausibly costs/,
    );
    assert.match(stdout, /index neo: 3\.0447: 2\.9955 on 2026-08-22, moved by the mean ratio of/);
    assert.match(stdout, /Lambda +US us-1 +2\.1000 +8 /);
  });

  const restatements = async (query: string) => {
    const { status, body } = await call(market, 'GET', `${restatementsPath}${query}`, {
      headers: professional.authorization,
    });
    return {
      status,
      data: (body as unknown as { data: { results: Record<string, unknown>[]; next: string | null } }).data,
    };
  };

  test('a price that changes is listed: which day, when, why; a first publication is none', async () => {
    assert.deepEqual((await restatements('')).data, { results: [], next: null });
    await read(
      ...steady.map((row) =>
        row.replace('2026-08-21,Lambda,H100 SXM,8,on_demand,2.00', '2026-08-21,Lambda,H100 SXM,8,on_demand,2.30'),
      ),
      '2026-08-23,Lambda,H100 SXM,8,on_demand,2.10,US,us-1,gpu_8x',
      '2026-08-23,Nebius,H100 SXM,8,on_demand,4.20,FI,fi-1,',
    );
    const { status, data } = await restatements('');
    assert.equal(status, 200);
    assert.deepEqual(
      data.results.map(({ id: _id, at: _at, ...row }) => row),
      [
        {
          date: '2026-08-21',
          product_id,
          product_slug: slug,
          price_type: 0,
          countries: ['WW', 'US'],
          before: 3.1333,
          after: 3.2333,
          reason: 'a reading of observations',
        },
      ],
    );
    assert.deepEqual((await restatements('?from=2026-08-22')).data.results, []);
    assert.equal((await restatements(`?product_id=${product_id}&to=2026-08-21`)).data.results.length, 1);
    assert.equal((await restatements('?product_id=x')).status, 422);
  });

  test('a ruling lets a screened vote count, is listed, and is withdrawn again', async () => {
    await read(
      ...steady,
      '2026-08-23,Lambda,H100 SXM,8,on_demand,2.10,US,us-1,gpu_8x',
      '2026-08-23,Crusoe,H100 SXM,8,on_demand,12.00,US,us-2,h100.8x',
      '2026-08-23,Nebius,H100 SXM,8,on_demand,4.20,FI,fi-1,',
    );
    const providers = async (): Promise<number | undefined> => {
      const { prices } = await market.explain(slug, '2026-08-23');
      return prices.find(({ country }) => country === '')?.provider_count;
    };
    assert.equal(await providers(), 2);
    const reason = 'confirmed by their price page';
    const accepted = await market.command(
      'ingest',
      'accept',
      'crusoe',
      slug,
      '--from',
      '2026-08-23',
      '--reason',
      reason,
    );
    assert.match(accepted.stdout, /^ruling 1; 1 day computed again\n$/);
    assert.equal(await providers(), 3);
    const [newest] = (await restatements('')).data.results;
    assert.deepEqual([newest?.['date'], newest?.['reason']], ['2026-08-23', 'a person ruled on a provider’s votes']);
    assert.match((await market.command('ingest', 'rulings')).stdout, /crusoe .*confirmed by their price page/);
    assert.match((await market.command('ingest', 'withdraw', '1')).stdout, /1 day computed again/);
    assert.equal(await providers(), 2);
    for (const [argv, message] of [
      [['accept', 'nobody', slug, '--from', '2026-08-23', '--reason', 'x'], /No provider has the slug nobody/],
      [
        ['accept', 'crusoe', 'nothing', '--from', '2026-08-23', '--reason', 'x'],
        /No product has the slug or id nothing/,
      ],
      [['accept', 'crusoe', slug, '--from', '2026-8-23', '--reason', 'x'], /--from: must be YYYY-MM-DD/],
      [['withdraw', '7'], /There is no ruling 7/],
    ] as const)
      assert.match((await market.command('ingest', ...argv)).stderr, message);
  });

  test('days of earlier rules are computed again, the earliest first, and say why they changed', async () => {
    const { sql } = market.platform;
    await sql`update priced_day set rules = 1 where day <= '2026-08-21'`;
    await sql`update daily_price set price = 9 where day = '2026-08-20' and country = ''`;
    assert.equal(
      (await market.command('ingest', 'reprice')).stdout,
      '2026-08-20 to 2026-08-21\n2 days computed again\n',
    );
    const [newest] = (await restatements('')).data.results;
    assert.deepEqual(
      [newest?.['date'], newest?.['before'], newest?.['reason']],
      ['2026-08-20', 9, 'the rules of pricing changed'],
    );
    assert.equal((await market.command('ingest', 'reprice')).stdout, '0 days computed again\n');
  });
});
