import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { keptPrices } from '../../../coordinator/market/ingestion/store-run.ts';
import { undoReading } from '../../../coordinator/platform/readings/undo-reading.ts';
import { untilGone, untilLocked } from '../../support/other-sessions.ts';
import { sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketCommands, type MarketCommands } from './market-commands.ts';

const main = fileURLToPath(new URL('../../../coordinator/main.ts', import.meta.url));
/** Lines `day provider price`. */
const table = (...lines: string[]): string =>
  [
    'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour',
    ...lines.map((line) => {
      const [day, provider, price] = line.split(' ');
      return `${day},${provider},H100 SXM,8,on_demand,${price}`;
    }),
  ].join('\n');

async function store(market: MarketCommands, ...lines: string[]): Promise<string> {
  const path = await market.file('p.csv', table(...lines));
  const [report] = await market.ingest(observations, path, { acceptCoverageDrop: true, again: true });
  assert.ok(report?.kind === 'stored');
  return report.run.runId;
}

/** What readers see, and what it follows from. Of the runs themselves: what stands of them. */
async function standing(market: MarketCommands): Promise<Record<string, unknown>> {
  const { observation, provider_price, daily_price, latest_price, unmatched_label } = await market.state();
  const presence = await market.platform.sql`select * from provider_presence order by 1, 2, 3`;
  return { observation, provider_price, daily_price, latest_price, unmatched_label, presence: [...presence] };
}

const runRow = async ({ platform: { sql } }: MarketCommands, id: string): Promise<unknown> =>
  (await sql<{ row: string }[]>`select to_jsonb(r)::text as row from ingest_run r where id = ${id}`)[0]?.row;

const sentence = async (market: MarketCommands, run: string): Promise<string> => {
  const { code, stdout, stderr } = await market.command('ingest', 'undo', run);
  assert.deepEqual([code, stdout], [1, '']);
  return stderr.trimEnd();
};

test(
  'the real day of 2026-05-08, replaced by two of its rows, stands after undo as it was, to the byte',
  { skip: withoutShared },
  async (t) => {
    const market = await marketCommands(t);
    const lines = readFileSync(sharedPath('rental/neocloud-daily/neocloud_daily_median.csv'), 'utf8').split('\n');
    const days = lines.filter((line) => /^(date|2026-05-0[89]|2026-05-1\d),/.test(line));
    const whole = await market.file('neocloud.csv', days.join('\n'));
    const [first] = await market.ingest(neocloudDaily, whole);
    assert.ok(first?.kind === 'stored');
    const [before, row] = [await standing(market), await runRow(market, first.run.runId)];
    const partial = await market.file('neocloud.csv', days.slice(0, 3).join('\n'));
    const [second] = await market.ingest(neocloudDaily, partial, { acceptCoverageDrop: true });
    assert.ok(second?.kind === 'stored');
    assert.deepEqual([second.run.rowsKept, second.run.rowsReplaced], [2, 66]);
    assert.notDeepEqual(await standing(market), before);
    const version = async (): Promise<unknown> =>
      (await market.platform.sql`select version from data_version where area = 'market'`)[0]?.['version'];
    const seen = await version();
    const { code, stdout, stderr } = await market.command('ingest', 'undo', second.run.runId);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(
      stdout,
      `run ${second.run.runId} of neocloud-daily, neocloud: 2 observations put aside, 66 earlier ones stand again (2026-05-08)\n`,
    );
    assert.deepEqual(await standing(market), before);
    assert.deepEqual(await runRow(market, first.run.runId), row);
    assert.notEqual(await version(), seen);
    // The file of the undone run is none that was read before; the whole one is.
    assert.equal((await market.ingest(neocloudDaily, whole))[0]?.kind, 'known');
    const [again] = await market.ingest(neocloudDaily, partial, { acceptCoverageDrop: true });
    assert.equal(again?.kind, 'stored');
  },
);

test('of days that several runs took, undo brings back those that this one took; all undone, the first state is back', async (t) => {
  const market = await marketCommands(t);
  const [one, two, three] = ['2025-03-01', '2025-03-02', '2025-03-03'];
  const first = await store(market, `${one} Lambda 1`, `${two} Lambda 1`, `${three} Lambda 1`);
  const states = [await standing(market)];
  const rows = [await runRow(market, first)];
  const later: string[] = [];
  for (const lines of [[`${one} Lambda 2`], [`${two} Crusoe 3`, `${three} Crusoe 3`], [`${three} Lambda 4`]]) {
    later.push(await store(market, ...lines));
    states.push(await standing(market));
    rows.push(await runRow(market, first));
  }
  const [second = '', third = '', fourth = ''] = later;
  assert.match(
    await sentence(market, third),
    new RegExp(`^Run ${third} was itself replaced: 1 of 2 of its observations by run ${fourth}\\. Undo that first\\.$`),
  );
  assert.match(
    await sentence(market, first),
    /^Run \d+ was itself replaced: all of its observations by run (\d+, \d+)\. Undo that first\.$/,
  );
  for (const [at, run] of [fourth, third, second].entries()) {
    assert.equal((await market.command('ingest', 'undo', run)).code, 0);
    assert.deepEqual(await standing(market), states[2 - at]);
    assert.deepEqual(await runRow(market, first), rows[2 - at]);
  }
  // The first reading of all replaced nothing: after it there is nothing.
  assert.equal((await market.command('ingest', 'undo', first)).code, 0);
  assert.deepEqual((await standing(market))['observation'], []);
  assert.deepEqual((await standing(market))['daily_price'], []);
  const [aside] = await market.platform.sql`select count(*)::int4 as n from replaced_observation`;
  assert.deepEqual({ ...aside }, { n: 3 + 1 + 2 + 1 });
});

test('undo twice, of no run, of one that kept nothing and of no id: each says so in a sentence', async (t) => {
  const market = await marketCommands(t);
  await store(market, '2025-03-01 Lambda 1');
  const run = await store(market, '2025-03-01 Lambda 2');
  await market.command('ingest', 'undo', run);
  assert.match(
    await sentence(market, run),
    /^Run \d+ has already been undone \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)\. To restore it, ingest its file again\.$/,
  );
  assert.equal(await sentence(market, '12345'), 'There is no run 12345: ingest runs lists the latest ones.');
  assert.equal(await sentence(market, 'x'), 'The run must be an id: ingest runs shows them.');
  await market.platform.sql`update ingest_run set keeps_replaced = false`;
  await market.platform.sql`update ingest_run set undone_at = null`;
  assert.match(await sentence(market, run), /^Run \d+ cannot be undone: what it replaced was not kept\./);
});

test('runs lists readings, newest first, with what they replaced and what became of them', async (t) => {
  const market = await marketCommands(t);
  const first = await store(market, '2025-03-01 Lambda 1', '2025-03-02 Lambda 1');
  const second = await store(market, '2025-03-02 Lambda 2');
  const third = await store(market, '2025-03-01 Lambda 3');
  await market.command('ingest', 'undo', third);
  const { stdout } = await market.command('ingest', 'runs', 'observations');
  const cells = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  assert.deepEqual(
    cells.map(([id, , ...rest]) => [id, ...rest].join(' | ')),
    [
      'run | source | part | days | kept | replaced | state',
      `${third} | observations | p | 2025-03-01 | 1 | 1 | undone`,
      `${second} | observations | p | 2025-03-02 | 1 | 1 | stands`,
      `${first} | observations | p | 2025-03-01 to 2025-03-02 | 2 | 0 | 1 of 2 replaced`,
    ],
  );
  assert.equal((await market.command('ingest', 'runs', 'pc-part')).stdout, 'nothing was read\n');
});

/** Somebody holds the row that an ingestion and an undo write towards their end. */
async function whileHeld(market: MarketCommands, work: () => Promise<void>): Promise<void> {
  const held = await market.platform.sql.reserve();
  await held`begin`;
  await held`select from data_version where area = 'market' for update`;
  try {
    await work();
  } finally {
    await held`rollback`;
    held.release();
  }
}

test('killed in the middle of an undo: everything is as it was before it, and undo can be said again', async (t) => {
  const market = await marketCommands(t);
  await store(market, '2025-03-01 Lambda 1');
  const run = await store(market, '2025-03-01 Lambda 2', '2025-03-01 Crusoe 3');
  const before = await market.state();
  await whileHeld(market, async () => {
    const child = spawn(process.execPath, [main, 'ingest', 'undo', run], {
      env: { ...market.environment, LOG_LEVEL: 'silent' },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await untilLocked(market.platform.sql, 1);
    child.kill('SIGKILL');
    assert.deepEqual((await ended)[1], 'SIGKILL');
  });
  await untilGone(market.platform.sql, 'gpumark market');
  assert.deepEqual(await market.state(), before);
  assert.equal((await market.command('ingest', 'undo', run)).code, 0);
});

test('an undo and a reading of the same day at once end as one after the other, whichever came first', async (t) => {
  const day = '2025-03-01';
  const [undoFirst, readFirst, apart] = [await marketCommands(t), await marketCommands(t), await marketCommands(t)];
  const prepared = async (market: MarketCommands): Promise<string> => {
    await store(market, `${day} Lambda 1`);
    return store(market, `${day} Lambda 2`);
  };
  const next = (market: MarketCommands): Promise<string> => store(market, `${day} Lambda 5`, `${day} Crusoe 7`);
  const pricesOf = async (market: MarketCommands): Promise<unknown> => {
    const { provider_price, daily_price, latest_price } = await market.state();
    return { provider_price, daily_price, latest_price };
  };
  const run = await prepared(undoFirst);
  const pending: Promise<unknown>[] = [];
  await whileHeld(undoFirst, async () => {
    pending.push(undoReading(undoFirst.context, run, () => keptPrices(undoFirst.context)));
    await untilLocked(undoFirst.platform.sql, 1);
    pending.push(next(undoFirst));
    await untilLocked(undoFirst.platform.sql, 2);
  });
  await Promise.all(pending);
  await prepared(apart);
  await next(apart);
  assert.deepEqual(await pricesOf(undoFirst), await pricesOf(apart));

  const late = await prepared(readFirst);
  const both: Promise<unknown>[] = [];
  await whileHeld(readFirst, async () => {
    both.push(next(readFirst));
    await untilLocked(readFirst.platform.sql, 1);
    both.push(
      undoReading(readFirst.context, late, () => keptPrices(readFirst.context)).catch((error: unknown) =>
        String(error),
      ),
    );
    await untilLocked(readFirst.platform.sql, 2);
  });
  const [by, refused] = await Promise.all(both);
  assert.equal(
    refused,
    `Error: Run ${late} was itself replaced: all of its observations by run ${String(by)}. Undo that first.`,
  );
  assert.deepEqual(await pricesOf(readFirst), await pricesOf(apart));
});
