import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fillMarket } from '../../../coordinator/commands/open-platform.ts';
import { marketCommands, type MarketCommands } from '../market/market-commands.ts';

const productColumns =
  'product_id,slug,name,chip,manufacturer,accelerator_type,form_factor,mem,mem_bus,bus,bandwidth,tdp,fp16,msrp,released_date,source,labels';
const product = (change: { id?: string; slug?: string; mem?: string; date?: string; labels?: string } = {}): string => {
  const { id = '900001', slug = 'acme-a9-96gb', mem = '96', date = '2025-01-31', labels = 'Abacus 9000|A-9' } = change;
  return `${id},${slug},Acme A9 96GB,A9,Acme,asic,PCIe,${mem},,,,300,,,${date},data sheet,${labels}`;
};
const providerColumns = 'id,name,aliases,provider_source_type,reseller,default_country';
const provider = (
  change: { id?: string; aliases?: string; type?: string; reseller?: string; country?: string } = {},
) => {
  const {
    id = 'zuerich-cloud',
    aliases = 'Zürich Cloud|ZC',
    type = 'Neocloud',
    reseller = 'false',
    country = 'CH',
  } = change;
  return `${id},Zürich Cloud,${aliases},${type},${reseller},${country}`;
};
const lines = (...all: string[]): string => `${all.join('\n')}\n`;

const exported = async (market: MarketCommands, table: string): Promise<string> => {
  const { code, stdout, stderr } = await market.command(table, 'export');
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
};
const imported = async (market: MarketCommands, table: string, content: string): Promise<string> => {
  const path = await market.file(`${table}.csv`, content);
  const { code, stdout, stderr } = await market.command(table, 'import', path);
  assert.deepEqual([code, stderr], [0, '']);
  return stdout.slice(path.length);
};
async function version({ platform: { sql } }: MarketCommands): Promise<number> {
  const [row] = await sql<{ version: string }[]>`select version from data_version where area = 'market'`;
  return Number(row?.version);
}

for (const [table, rows, file] of [
  ['catalog', 'products', '../../../coordinator/catalog/products.csv'],
  ['providers', 'providers', '../../../coordinator/market/providers.csv'],
] as const) {
  test(`${table}: what is exported and imported again is exported as before`, async (t) => {
    const market = await marketCommands(t);
    const before = await exported(market, table);
    const seed = (await readFile(join(import.meta.dirname, file), 'utf8')).trimEnd().split('\n').length - 1;
    assert.equal(before.trimEnd().split('\n').length - 1, seed);
    assert.equal(await imported(market, table, before), `: ${seed} ${rows} imported\n`);
    assert.equal(await exported(market, table), before);
    const path = await market.file('out.csv', '');
    assert.deepEqual(await market.command(table, 'export', path), { code: 0, stdout: '', stderr: '' });
    assert.equal(await readFile(path, 'utf8'), before);
  });
}

test('imported rows stay at the next start; rows that came with the product follow it', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  const [now = ''] = (await exported(market, 'catalog')).match(/^1029,.*$/m) ?? [];
  // Of a file of before the architecture had a column.
  const h100 = now.replace(',Hopper,', ',');
  assert.notEqual(h100, now);
  await imported(market, 'catalog', lines(productColumns, product(), h100.replace(',NVIDIA H100', ',Our H100')));
  const [lambda = ''] = (await exported(market, 'providers')).match(/^lambda,.*$/m) ?? [];
  await imported(market, 'providers', lines(providerColumns, provider(), lambda.replace(',Lambda,', ',Our Lambda,')));
  // As an older version may have left them.
  await sql`update product set tdp = 1, name = 'old' where product_id = 1021`;
  await sql`update provider set name = 'old', aliases = '{}' where slug = 'crusoe'`;
  await fillMarket(market.context);
  const names = await sql<{ name: string; architecture: string | null }[]>`
    select name, architecture from product where product_id in (1021, 1029, 900001) order by product_id`;
  assert.deepEqual(
    names.map(({ name, architecture }) => `${name}, ${architecture}`),
    ['NVIDIA A100 PCIe 40GB, Ampere', 'Our H100 SXM 80GB, Hopper', 'Acme A9 96GB, null'],
  );
  const providers = await sql<{ name: string; aliases: number }[]>`
    select name, cardinality(aliases) as aliases from provider where slug in ('crusoe', 'lambda', 'zuerich-cloud')
    order by slug`;
  assert.deepEqual(
    providers.map(({ name }) => name),
    ['Crusoe', 'Our Lambda', 'Zürich Cloud'],
  );
  assert.ok((providers[0]?.aliases ?? 0) > 0);
});

test('readers hold what they have while nothing changes, and read anew after an import', async (t) => {
  const market = await marketCommands(t);
  const first = await version(market);
  await fillMarket(market.context);
  await fillMarket(market.context);
  assert.equal(await version(market), first);
  await imported(market, 'catalog', lines(productColumns, product()));
  const second = await version(market);
  assert.ok(second > first);
  await imported(market, 'providers', lines(providerColumns, provider()));
  assert.ok((await version(market)) > second);
  const third = await version(market);
  await fillMarket(market.context);
  assert.equal(await version(market), third);
});

test('labels that an imported product and provider bring mean them in the next reading, and are off the list', async (t) => {
  const market = await marketCommands(t);
  const path = await market.file(
    'prices.csv',
    lines(
      'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour,memory_gb,form_factor',
      '2025-03-10,Lambda,Abacus 9000,8,on_demand,2,96,PCIe',
      '2025-03-10,Z.C.,H100 SXM,8,on_demand,3,,',
      '2025-03-10,Nobody,H100 SXM,8,on_demand,4,,',
      '2025-03-10,Lambda,Abacus 10000,8,on_demand,5,96,PCIe',
    ),
  );
  const unmatched = async (): Promise<string[]> => {
    const { stdout } = await market.command('ingest', '--unmatched');
    return stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/).at(-1) ?? '');
  };
  assert.match((await market.command('ingest', 'observations', path)).stdout, /4 read, 0 kept/);
  assert.deepEqual(await unmatched(), ['Abacus 10000 | 96 GB | PCIe', 'Abacus 9000 | 96 GB | PCIe', 'Nobody', 'Z.C.']);
  await imported(market, 'catalog', lines(productColumns, product()));
  await imported(market, 'providers', lines(providerColumns, provider()));
  assert.match((await market.command('ingest', 'observations', path, '--again')).stdout, /4 read, 2 kept/);
  assert.deepEqual(await unmatched(), ['Abacus 10000 | 96 GB | PCIe', 'Nobody']);
  const stored = await market.platform.sql`
    select product_id, p.slug, o.price from observation o join provider p using (provider_id) order by o.price`;
  assert.deepEqual(
    [...stored],
    [
      { product_id: 900001, slug: 'lambda', price: 2 },
      { product_id: 1029, slug: 'zuerich-cloud', price: 3 },
    ],
  );
});

describe('a table with something wrong in it', async () => {
  const market = await marketCommands({ after });
  await imported(market, 'catalog', lines(productColumns, product()));
  const tables = async (): Promise<string[]> => {
    const { sql } = market.platform;
    const rows = await sql<{ row: string }[]>`
      select p::text as row from product p union all select p::text from provider p
      union all select version::text from data_version where area = 'market' order by 1`;
    return rows.map(({ row }) => row);
  };

  const fresh = product({ id: '900002', slug: 'acme-a9-pro', labels: '' });
  const wrong: Record<string, [table: 'catalog' | 'providers', content: string, sentence: RegExp]> = {
    'a figure that is not a number': [
      'catalog',
      lines(productColumns, fresh, product({ mem: 'much' })),
      /, row 2, mem: "much" is not a number above 0$/,
    ],
    'a day that no calendar has': [
      'catalog',
      lines(productColumns, product({ date: '2025-02-30' })),
      /, row 1, released_date: must be YYYY-MM-DD$/,
    ],
    'an id that is not a number': ['catalog', lines(productColumns, product({ id: 'x' })), /, row 1, product_id: /],
    'an id of 0': ['catalog', lines(productColumns, product({ id: '0' })), /, row 1, product_id: /],
    'half a bit of a bus': [
      'catalog',
      lines(productColumns, product().replace(',96,,', ',96,384.5,')),
      /, row 1, mem_bus: /,
    ],
    'an id twice': [
      'catalog',
      lines(productColumns, fresh, fresh.replace('a9-pro', 'a9-max')),
      /: product_id 900002 appears twice\.$/,
    ],
    'a slug twice': [
      'catalog',
      lines(productColumns, fresh, fresh.replace('900002', '900003')),
      /: slug acme-a9-pro appears twice\.$/,
    ],
    'the slug of another product': [
      'catalog',
      lines(productColumns, fresh, product({ id: '900004' })),
      /: slug acme-a9-96gb is that of product_id 900001\. A slug stays with its id\.$/,
    ],
    'a cell too few': ['catalog', lines(productColumns, fresh.slice(0, -1)), /: Invalid Record Length: .* on line 2$/],
    'a column missing': ['catalog', lines(productColumns.replace('mem,', 'memory,'), fresh), /, row 1, mem: /],
    'a country in words': [
      'providers',
      lines(providerColumns, provider({ country: 'Swiss' })),
      /, row 1, default_country: must be two capital letters or empty$/,
    ],
    'a kind that there is not': [
      'providers',
      lines(providerColumns, provider({ type: 'Shop' })),
      /, row 1, provider_source_type: /,
    ],
    'neither true nor false': [
      'providers',
      lines(providerColumns, provider({ reseller: 'no' })),
      /, row 1, reseller: /,
    ],
    'a provider twice': [
      'providers',
      lines(providerColumns, provider(), provider()),
      /: id zuerich-cloud appears twice\.$/,
    ],
    'a name that two providers would have': [
      'providers',
      lines(providerColumns, provider({ aliases: 'lambda-labs' })),
      /: both lambda and zuerich-cloud would be called "[^"]+"\. Remove it from one of them\.$/,
    ],
    'an alias that stands in two rows': [
      'providers',
      lines(
        providerColumns,
        provider({ aliases: 'ZC' }),
        provider({ id: 'other', aliases: 'Z.C.' }).replace('other,Zürich', 'other,Other'),
      ),
      /: both other and zuerich-cloud would be called "[^"]+"\. Remove it from one of them\.$/,
    ],
  };
  for (const [what, [table, content, sentence]] of Object.entries(wrong)) {
    test(`${what}: one line that names the file and the place, and nothing has changed`, async () => {
      const before = await tables();
      const path = await market.file(`${table}.csv`, content);
      const { code, stdout, stderr } = await market.command(table, 'import', path);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^[^\n]+\n$/);
      assert.ok(stderr.startsWith(path), stderr);
      assert.match(stderr.slice(path.length).trimEnd(), sentence);
      assert.deepEqual(await tables(), before);
    });
  }

  test('a file that is not there, and a folder', async () => {
    const path = await market.file('catalog.csv', '');
    for (const place of [`${path}.none`, join(path, '..')]) {
      const { code, stderr } = await market.command('catalog', 'import', place);
      assert.equal(code, 1);
      assert.match(stderr, /^[^\n]+\n$/);
      assert.ok(stderr.includes(place), stderr);
    }
  });
});
