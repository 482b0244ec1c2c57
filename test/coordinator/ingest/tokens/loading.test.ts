import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marketCommands } from '../../market/market-commands.ts';
import { catalogue, dataset, entry, ingested, page, pricesIn, stateOf, usageIn } from './loaded-tokens.ts';

test('a price list is stored in exact decimals for the day that its folder names, and again costs nothing', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  const path = await market.file('2026-08-10/models.json', catalogue());
  const first = await ingested(market, 'openrouter-models', path);
  assert.match(
    first,
    /^: 3 read, 2 kept \(2026-08-10\)\n +1 refused: a router [^\n]+\(no-fixed-price; first in row 3: openrouter\/auto\)$/,
  );
  assert.deepEqual(await pricesIn(sql), [
    '2026-08-10 openai/gpt-5 standard openrouter 1.25 10',
    '2026-08-10 openai/gpt-5 batch openrouter 0.625 5',
  ]);
  const before = await stateOf(sql);
  assert.match(await ingested(market, 'openrouter-models', path), /^: read before \(.* UTC, 2 observations\)/);
  assert.deepEqual(await stateOf(sql), before);
});

test('the same list under another day says that its prices still hold; under the same day another list takes its place', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  const path = await market.file('models.json', catalogue());
  assert.equal(
    (await ingested(market, 'openrouter-models', path, '--as-of', '2026-08-10')).split('\n')[0],
    ': 3 read, 2 kept (2026-08-10)',
  );
  assert.equal(
    (await ingested(market, 'openrouter-models', path, '--as-of', '2026-08-11')).split('\n')[0],
    ': 3 read, 2 kept (2026-08-11)',
  );
  const dearer = await market.file('other-name.json', catalogue('0.000002'));
  assert.match(
    await ingested(market, 'openrouter-models', dearer, '--as-of', '2026-08-10'),
    /4 earlier observations of these days replaced$/,
  );
  assert.deepEqual(
    (await pricesIn(sql)).filter((line) => line.includes('standard')),
    ['2026-08-10 openai/gpt-5 standard openrouter 2 10', '2026-08-11 openai/gpt-5 standard openrouter 1.25 10'],
  );
  const runs = await sql<{ last_day: string; gone: boolean }[]>`
    select last_day::text, replaced_by is not null as gone from ingest_run order by id`;
  assert.deepEqual(
    [...runs],
    [
      { last_day: '2026-08-10', gone: true },
      { last_day: '2026-08-11', gone: false },
      { last_day: '2026-08-10', gone: false },
    ],
  );
  // What was replaced is read again: it does not stand any more.
  assert.match(await ingested(market, 'openrouter-models', path, '--as-of', '2026-08-10'), /3 read, 2 kept/);
});

for (const [what, content] of Object.entries({
  'cut off': catalogue().slice(0, -20),
  'of another format': '{"data": [{"id": 1}]}',
  'of an error page': '<html>502</html>',
  'without a row that can be kept': JSON.stringify({ data: [entry('openrouter/auto', 'openrouter/auto', '-1', '-1')] }),
  'without a row': '{"data": []}',
  'no UTF-8 text': Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  empty: '',
}))
  test(`a broken file keeps nothing and is told in one line: ${what}`, async (t) => {
    const market = await marketCommands(t);
    const before = await stateOf(market.platform.sql);
    const path = await market.file('2026-08-10/models.json', content);
    const { code, stdout, stderr } = await market.command('ingest', 'openrouter-models', path);
    assert.deepEqual([code, stdout], [1, '']);
    assert.ok(stderr.startsWith(path) && /^[^\n]+\n$/.test(stderr), stderr);
    assert.deepEqual(await stateOf(market.platform.sql), before);
  });

test('the page of a day goes before the dataset, whichever is read first, and days that the page lacks stay with the dataset', async (t) => {
  const expected = [
    '2026-08-09 openai/gpt-5-2025-08-07 standard openai/gpt-5 100 90 10',
    '2026-08-10 openai/gpt-5-2025-08-07 standard openai/gpt-5 200',
    '2026-08-10 other standard 55',
  ];
  for (const order of ['page first', 'dataset first']) {
    const market = await marketCommands(t);
    const files = {
      page: await market.file('2026-08-10/rankings_models_day.json', page('2026-08-09')),
      dataset: await market.file('2026-08-11/rankings-daily.json', dataset('2026-08-09', '2026-08-10')),
    };
    const [first, second] = order === 'page first' ? [files.page, files.dataset] : [files.dataset, files.page];
    await ingested(market, 'openrouter-rankings', first);
    const told = await ingested(market, 'openrouter-rankings', second);
    if (order === 'page first')
      assert.match(
        told,
        /^: 4 read, 2 kept \(2 days, 2026-08-09 to 2026-08-10\)\n +2 refused: the public page of that day was read/,
      );
    else assert.match(told, /2 earlier observations of these days replaced$/);
    assert.deepEqual(await usageIn(market.platform.sql), expected, order);
    // A reading that lost a part is not the same again: it is read once more, and what goes before it stays.
    if (order === 'dataset first')
      assert.match(await ingested(market, 'openrouter-rankings', files.dataset), /^: 4 read, 2 kept/);
    for (const path of [first, second])
      assert.match(await ingested(market, 'openrouter-rankings', path), /^: read before/);
    assert.deepEqual(await usageIn(market.platform.sql), expected, order);
  }
});

test('counts of an unknown model are kept, and its label is listed under tokens alone until something means it', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  const path = await market.file('2026-08-10/rankings.json', page('2026-08-09', 5, 'openrouter/body-1'));
  assert.match(
    await ingested(market, 'openrouter-rankings', path),
    /1 read, 1 kept .*\n +1 with a label without a meaning: ingest --unmatched$/s,
  );
  assert.deepEqual(await usageIn(sql), ['2026-08-09 openrouter/body-1 standard 15 5 10']);
  const { stdout } = await market.command('ingest', '--unmatched', 'tokens');
  assert.match(stdout, /\nmodel +openrouter-rankings +1 +2026-08-09 +2026-08-09 +openrouter: openrouter\/body-1\n$/);
  assert.match((await market.command('ingest', '--unmatched', 'market')).stdout, /^every label that was read means/);
  assert.match((await market.command('ingest', '--unmatched')).stdout, /openrouter\/body-1/);
  // As if an earlier version had not known it.
  await sql`insert into unmatched_label values ('openrouter-rankings', 'model', 'openrouter: openai/o1', 1, '2026-08-01', '2026-08-01')`;
  await ingested(market, 'openrouter-rankings', await market.file('2026-08-11/rankings.json', page('2026-08-10')));
  const labels = await sql<{ label: string }[]>`select label from unmatched_label`;
  assert.deepEqual([...labels], [{ label: 'openrouter: openrouter/body-1' }]);
  const bad = await market.command('ingest', '--unmatched', 'carbon');
  assert.deepEqual([bad.code, bad.stderr], [1, '--unmatched: must be market or tokens\n']);
});

test('two readings of one part and day at the same time: one of them stands, whole', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  const [one, other] = [
    await market.file('2026-08-10/models.json', catalogue('0.000001')),
    await market.file('2026-08-10/models.json', catalogue('0.000002')),
  ];
  await Promise.all([ingested(market, 'openrouter-models', one), ingested(market, 'openrouter-models', other)]);
  assert.equal((await pricesIn(sql)).length, 2);
  const standing = await sql`select from ingest_run where replaced_by is null`;
  assert.equal(standing.length, 1);
});

test('the list of sources has those of tokens under a heading of their own', async (t) => {
  const market = await marketCommands(t);
  const { stdout } = await market.command('ingest', '--list');
  const [, below = ''] = stdout.split('\nTokens: ');
  const names = [
    'openrouter-models',
    'openrouter-rankings',
    'litellm',
    'genai-prices',
    'models-dev',
    'llm-prices',
    'token-prices',
    'token-models',
  ];
  for (const name of names) assert.match(below, new RegExp(`^${name} `, 'm'));
});
