import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Sql } from '../../../../coordinator/platform/db/client.ts';
import { marketCommands, type MarketCommands } from '../../market/market-commands.ts';
import { sharedPath, withoutShared } from '../read-source.ts';
import { dataset, ingested, page, stateOf } from './loaded-tokens.ts';

const derived = ['token_book', 'token_pulse', 'token_model_day'] as const;

/** What readers see: what is stored and what is derived of it, without the readings themselves and the times of computing. */
async function standing(sql: Sql): Promise<Record<string, unknown>> {
  const { token_price_observation, token_model_observation, token_usage_observation } = await stateOf(sql);
  const rows = await Promise.all(
    derived.map((table) => sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${table} t order by 1`)),
  );
  const index = await sql<{ row: string }[]>`
    select (to_jsonb(t) - 'computed_at')::text as row from token_index_day t order by 1`;
  const figures = Object.fromEntries(derived.map((table, at) => [table, rows[at]?.map(({ row }) => row)]));
  return { token_price_observation, token_model_observation, token_usage_observation, ...figures, index: [...index] };
}

const lastRun = async ({ platform: { sql } }: MarketCommands): Promise<string> =>
  (await sql<{ id: string }[]>`select max(id)::text as id from ingest_run`)[0]?.id ?? assert.fail('no run');

const refusal = async (market: MarketCommands, source: string, path: string): Promise<string> => {
  const { code, stdout, stderr } = await market.command('ingest', source, path);
  assert.deepEqual([code, stdout], [1, '']);
  return stderr.replace(path, '').trimEnd();
};

const MODELS = '2026-08-10/models.json';
interface Catalogue {
  data: unknown[];
}
const real = (): Catalogue =>
  JSON.parse(gunzipSync(readFileSync(sharedPath(`tokens/openrouter/${MODELS}.gz`))).toString('utf8')) as Catalogue;

test(
  'a catalogue cut to 50 of its models is refused with the counts, accepted when told so, and undone to the last digit',
  { skip: withoutShared },
  async (t) => {
    const market = await marketCommands(t);
    const { sql } = market.platform;
    const whole = await market.file(MODELS, JSON.stringify(real()));
    const cut = await market.file(MODELS, JSON.stringify({ data: real().data.slice(0, 50) }));
    await ingested(market, 'openrouter-models', whole);
    const [before, stood] = [await stateOf(sql), await standing(sql)];
    assert.match(
      await refusal(market, 'openrouter-models', cut),
      /^: would drop more than 20 % of what this source has on 2026-08-10: prices \d{3} -> \d\d, models 3\d\d -> \d\d, sellers 1 -> 1\. Nothing of it is kept\. /,
    );
    assert.deepEqual(await stateOf(sql), before);

    const told = await ingested(market, 'openrouter-models', cut, '--accept-coverage-drop');
    assert.match(
      told,
      /earlier observations of these days replaced\n +accepted: less than what this source has on 2026-08-10: prices /,
    );
    assert.notDeepEqual(await standing(sql), stood);
    const run = await lastRun(market);
    const undone = await market.command('ingest', 'undo', run);
    assert.deepEqual([undone.code, undone.stderr], [0, '']);
    assert.match(
      undone.stdout,
      new RegExp(
        `^run ${run} of openrouter-models, [^:]+: \\d+ observations put aside, \\d+ earlier ones stand again \\(2026-08-10\\)\\n$`,
      ),
    );
    assert.deepEqual(await standing(sql), stood);
    // The first reading is whole again: the same bytes have nothing to add.
    assert.match(await ingested(market, 'openrouter-models', whole), /^: read before/);
    const listed = (await market.command('ingest', 'runs', 'openrouter-models')).stdout;
    assert.match(listed, /undone/);
    assert.match(listed, /stands/);
    assert.match((await market.command('ingest', 'undo', run)).stderr, /has already been undone/);
  },
);

test(
  'a new day of a catalogue with far less than the days before it is refused',
  { skip: withoutShared },
  async (t) => {
    const market = await marketCommands(t);
    for (const day of ['2026-08-10', '2026-08-11'])
      await ingested(market, 'openrouter-models', sharedPath(`tokens/openrouter/${day}/models.json.gz`));
    const next = await market.file('2026-08-12/models.json', JSON.stringify({ data: real().data.slice(0, 50) }));
    assert.match(
      await refusal(market, 'openrouter-models', next),
      /^: would drop more than 20 % of what the last 2 readings of this source had \(median\): prices /,
    );
  },
);

const pageOf = (day: string, items: number): string =>
  JSON.stringify({
    data: Array.from({ length: items }, (_, at) => ({
      ...(JSON.parse(page(day, 90 + at, `openai/gpt-5-2025-08-07-${at}`)) as { data: object[] }).data[0],
    })),
  });

test('volumes of a day that lose more than a fifth of their items are refused; a feed of another kind is not their measure', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  const file = (items: number): Promise<string> =>
    market.file('2026-08-10/rankings_models_day.json', pageOf('2026-08-09', items));
  await ingested(market, 'openrouter-rankings', await file(10));
  await ingested(market, 'openrouter-rankings', await file(8));
  const stood = await standing(sql);
  assert.match(await refusal(market, 'openrouter-rankings', await file(6)), /on 2026-08-09: usage 8 -> 6\. /);
  await ingested(market, 'openrouter-rankings', await file(6), '--accept-coverage-drop');
  assert.equal((await market.command('ingest', 'undo', await lastRun(market))).code, 0);
  assert.deepEqual(await standing(sql), stood);
  const feed = await market.file('2026-08-11/rankings-daily.json', dataset('2026-08-09', '2026-08-10'));
  assert.match(await ingested(market, 'openrouter-rankings', feed), /4 read, 2 kept/);
});

test('a reading that a later one replaced is undone after it, not before', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  const runs: string[] = [];
  const states: Record<string, unknown>[] = [await standing(sql)];
  for (const items of [5, 6, 7]) {
    const path = await market.file('2026-08-10/rankings_models_day.json', pageOf('2026-08-09', items));
    await ingested(market, 'openrouter-rankings', path);
    runs.push(await lastRun(market));
    states.push(await standing(sql));
  }
  const [first = '', second = '', third = ''] = runs;
  const { code, stderr } = await market.command('ingest', 'undo', first);
  assert.deepEqual(
    [code, stderr],
    [1, `Run ${first} was itself replaced: all of its observations by run ${second}. Undo that first.\n`],
  );
  for (const [run, state] of [
    [third, states[2]],
    [second, states[1]],
  ] as const) {
    assert.equal((await market.command('ingest', 'undo', run)).code, 0);
    assert.deepEqual(await standing(sql), state);
  }
  // An index that was published for a day stays as missing once its volumes are gone.
  assert.equal((await market.command('ingest', 'undo', first)).code, 0);
  assert.deepEqual({ ...(await standing(sql)), index: [] }, states[0]);
  const shown = await sql<{ said: string }[]>`
    select distinct concat_ws(', ', day, status, value, reason) as said from token_index_day order by 1`;
  assert.deepEqual(
    shown.map(({ said }) => said),
    ['2026-08-09, missing, no expenditure of this day', '2026-08-09, missing, no usage of this day is stored'],
  );
});
