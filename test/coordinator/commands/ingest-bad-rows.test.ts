import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { marketCommands } from '../market/market-commands.ts';

const head = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour,currency,cluster_size,sku';
const good = '2025-03-10,Lambda,H100 SXM,8,on_demand,2.5,,,';

/** Row 2 of three, and what is said of it. */
const rows: Record<string, [row: string, line: string]> = {
  'a negative price': [
    '2025-03-10,Lambda,H100 SXM,8,on_demand,-2.5,,,',
    'the price is not a number above 0 (bad-price; first in row 2: price -2.5)',
  ],
  'a price of 0': [
    '2025-03-10,Lambda,H100 SXM,8,on_demand,0,,,',
    'the price is not a number above 0 (bad-price; first in row 2: price 0)',
  ],
  'a price in words': [
    '2025-03-10,Lambda,H100 SXM,8,on_demand,on request,,,',
    'the price is not a number above 0 (bad-price; first in row 2: price on request)',
  ],
  'a price beyond every number': [
    '2025-03-10,Lambda,H100 SXM,8,on_demand,1e999,,,',
    'the price is not a number above 0 (bad-price; first in row 2: price 1e999)',
  ],
  'a date in the future': [
    '2999-01-01,Lambda,H100 SXM,8,on_demand,2.5,,,',
    'the date is missing or in the future (bad-date; first in row 2: 2999-01-01)',
  ],
  'a date that no calendar has': [
    '2025-02-30,Lambda,H100 SXM,8,on_demand,2.5,,,',
    'the date is missing or in the future (bad-date; first in row 2: date 2025-02-30)',
  ],
  'a currency that nobody has': [
    '2025-03-10,Lambda,H100 SXM,8,on_demand,2.5,XTS,,',
    'no exchange rate for its currency (unknown-currency; first in row 2: XTS on 2025-03-10)',
  ],
  'a currency without a rate of that day': [
    '2025-03-10,Lambda,H100 SXM,8,on_demand,2.5,JPY,,',
    'no exchange rate for its currency (unknown-currency; first in row 2: JPY on 2025-03-10)',
  ],
  'a count of 0': [
    '2025-03-10,Lambda,H100 SXM,0,on_demand,2.5,,,',
    'does not say how many accelerators the price is for (unknown-count; first in row 2: H100 SXM)',
  ],
  'a count that no column holds': [
    '2025-03-10,Lambda,H100 SXM,1e39,on_demand,2.5,,,',
    'does not say how many accelerators the price is for (unknown-count; first in row 2: H100 SXM)',
  ],
  'more machines than anybody lets together': [
    '2025-03-10,Lambda,H100 SXM,8,on_demand,2.5,,70000,',
    'does not say how many accelerators the price is for (unknown-count; first in row 2: H100 SXM)',
  ],
  'half a machine': [
    '2025-03-10,Lambda,H100 SXM,8,on_demand,2.5,,1.5,',
    'does not say how many accelerators the price is for (unknown-count; first in row 2: H100 SXM)',
  ],
  'a cell too few': [
    '2025-03-10,Lambda,H100 SXM,8,on_demand,2.5',
    'the row has fewer or more cells than the header (cells-missing; first in row 2: 6 cells under 9 columns)',
  ],
  'codes that a terminal would obey': [
    '2025-03-10,Lambda,H100 SXM,8,\u001B[2Jbarter,2.5,,,',
    'sold on terms other than the price types (other-terms; first in row 2:  [2Jbarter)',
  ],
};

describe('rows that give no observation', async () => {
  const market = await marketCommands({ after });
  const { sql } = market.platform;
  // Of another day: a rate holds for a week.
  await sql`
    insert into exchange_rate (currency, day, usd)
    values ('EUR', '2025-03-10', 1.04), ('JPY', '2025-03-02', 0.007), ('JPY', '2025-03-11', 0.007)`;

  for (const [what, [row, line]] of Object.entries(rows)) {
    test(`${what}: that row is refused by its reason and number, the others are kept`, async () => {
      const path = await market.file('prices.csv', [head, good, row, good.replace('2.5', '3.5')].join('\n'));
      const { code, stdout, stderr } = await market.command('ingest', 'observations', path);
      assert.deepEqual([code, stderr], [0, '']);
      assert.deepEqual(stdout.split('\n').slice(0, 2), [
        `${path}: 3 read, 2 kept (2025-03-10)`,
        `         1 refused: ${line}`,
      ]);
      const kept = await sql<{ price: number }[]>`select price from observation order by price`;
      assert.deepEqual(
        kept.map(({ price }) => price),
        [2.5, 3.5],
      );
      // One provider, so that its vote is the price: the median of 2.5 and 3.5.
      assert.deepEqual(
        [...(await sql`select day, price, sample_size from daily_price where country = ''`)],
        [{ day: '2025-03-10', price: 3, sample_size: 2 }],
      );
    });
  }

  test('rows without any meaning: nothing is kept, and what was there of that day stays', async () => {
    const before = await market.state();
    const path = await market.file('prices.csv', [head, good.replace('2.5', '-1'), good.replace('8', '')].join('\n'));
    // Readings before it have a row: that there is none any more must be said.
    const refused = await market.command('ingest', 'observations', path);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /rows 2 -> 0, [^\n]+ 2 of its 2 rows were refused \(bad-price, unknown-count\)\.\n$/);
    assert.deepEqual(await market.state(), before);
    const { code, stdout } = await market.command('ingest', 'observations', path, '--accept-coverage-drop');
    assert.deepEqual([code, stdout.split('\n')[0]], [0, `${path}: 2 read, 0 kept`]);
    const now = await market.state();
    for (const table of ['observation', 'provider_price', 'daily_price', 'latest_price'])
      assert.deepEqual(now[table], before[table], table);
  });

  test('signs that no text column holds are left out of offers and labels', async () => {
    const text = [head, `${good}p5\u0000.48xlarge`, good.replace('H100 SXM', 'Aba\u0000cus \u001B[2J9')].join('\n');
    const { code, stdout, stderr } = await market.command('ingest', 'observations', await market.file('odd.csv', text));
    assert.deepEqual([code, stderr], [0, ''], stderr);
    assert.match(stdout, /2 read, 1 kept/);
    assert.deepEqual(
      [...(await sql`select offer from observation where offer is not null`)],
      [{ offer: 'p5.48xlarge' }],
    );
    const listed = await market.command('ingest', '--unmatched');
    assert.match(listed.stdout, /^product {2}observations {2}1 .* Abacus {2}\[2J9$/m);
  });
});

describe('arguments that say too little or something wrong', async () => {
  const market = await marketCommands({ after });
  const before = await market.state();
  const text = `${head}\n${good}\n`;

  async function sentence(...argv: string[]): Promise<string> {
    const { code, stdout, stderr } = await market.command('ingest', ...argv);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^[^\n]+\n$/);
    assert.deepEqual(await market.state(), before);
    return stderr.trimEnd();
  }

  test('a source that nobody knows, and none', async () => {
    const path = await market.file('prices.csv', text);
    assert.match(
      await sentence('prices', path),
      /^There is no source prices\. Known: gpuhunt, .*, ecb-rates, openrouter-models, .*, token-models, egrid, .*, watttime\.$/,
    );
    assert.match(
      await sentence(),
      /^Name a source: gpuhunt, .*, ecb-rates, openrouter-models, .*, token-models, egrid, .*, watttime\.$/,
    );
  });

  test('a source without an address of its own needs a file', async () => {
    assert.equal(await sentence('observations'), 'observations has no address of its own: name a file or a URL.');
  });

  test('--provider is asked for where neither address nor file says whose prices they are', async () => {
    assert.equal(
      await sentence('skypilot'),
      'skypilot is published by provider: add --provider, or name a file or a URL.',
    );
    const [vms, catalogue] = [await market.file('vms.2025-03-10.csv', text), await market.file('2025-03-10.csv', text)];
    assert.equal(await sentence('skypilot', vms), `${vms}: does not say of which cloud it is: name --provider`);
    assert.equal(
      await sentence('gpuhunt', catalogue),
      `${catalogue}: does not say whose prices it holds: name --provider`,
    );
    assert.match(await sentence('gpuhunt', catalogue, '--provider', ''), /^--provider: /);
    for (const source of ['observations', 'ecb-rates'])
      assert.equal(
        await sentence(source, catalogue, '--provider', 'Lambda'),
        `--provider: the files of ${source} name the provider themselves; leave the option out.`,
      );
  });

  test('--as-of must be a day that was', async () => {
    const path = await market.file('prices.csv', text);
    for (const day of ['2025-02-30', 'yesterday', '10.03.2025', ''])
      assert.equal(await sentence('observations', path, '--as-of', day), '--as-of: must be YYYY-MM-DD');
    assert.equal(await sentence('observations', path, '--as-of', '2999-01-01'), '--as-of: 2999-01-01 is in the future');
  });

  test('explain wants a product and a day that there are', async () => {
    assert.equal(await sentence('explain', 'nvidia-h100-sxm-80gb', '2025-02-30'), 'The day must be YYYY-MM-DD.');
    assert.equal(await sentence('explain', 'abacus', '2025-03-10'), 'No product has the slug or id abacus.');
  });
});
