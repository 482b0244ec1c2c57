import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import type { Listing } from '../../../coordinator/ingest/listing.ts';
import { observer } from '../../../coordinator/ingest/observe.ts';
import { loadReference } from '../../../coordinator/market/ingestion/load-reference.ts';
import { lineWriter, observationColumns } from '../../../coordinator/market/queries/observations.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import type { BenchRow } from '../bench-row.ts';
import { watchPhases } from './ingest-phases.ts';
import { fillMonths, ingest, type MarketDatabase } from './market-database.ts';
import { months, type Month } from './synthetic-market.ts';

/**
 * In one month out of this many the same rows are also copied; the first months fill the tables that every later one
 * finds.
 */
const EVERY = 4;

/** Milliseconds for the same rows. */
interface Round {
  rows: number;
  ours: number;
  copied: number;
  /** producing the lines: reading and matching alone, without waiting for a database */
  matched: number;
}

/**
 * Fills the market in the same way as `coordinator ingest`. In some months the same observations, as prepared lines,
 * are first loaded by COPY into an empty table with the same partitions and indexes: the most that Postgres can take
 * from one connection.
 */
export async function benchIngestion(
  market: MarketDatabase,
  given: { folder: string; listings: readonly Listing[] },
): Promise<BenchRow> {
  const { sql } = market.context;
  await sql`create schema plain`;
  await sql`create table plain.observation (like observation including all) partition by range (observed_at)`;
  const rounds: Round[] = [];
  const phases = new Map<string, number>();
  await fillMonths(market, given, async (path, rows, month) => {
    if (months.indexOf(month) % EVERY !== EVERY - 1) return ingest(market, path, rows);
    const lines = `${path}.lines`;
    const matched = await timed(() => writeLines(market, path, lines));
    await sql`checkpoint`;
    const copied = await timed(() => copyLines(market, lines, month));
    await rm(lines);
    await sql`checkpoint`;
    const watched = watchPhases(sql);
    const ours = await timed(() => ingest(market, path, rows));
    for (const [phase, ms] of watched()) phases.set(phase, (phases.get(phase) ?? 0) + ms);
    rounds.push({ rows, ours, copied, matched });
  });
  await sql`drop schema plain cascade`;
  return ingestionRow(rounds, phases);
}

function ingestionRow(rounds: readonly Round[], phases: ReadonlyMap<string, number>): BenchRow {
  const rate = (name: 'ours' | 'copied' | 'matched'): number =>
    median(rounds.map((round) => round.rows / (round[name] / 1000)));
  const total = [...phases.values()].reduce((sum, ms) => sum + ms, 0);
  const shares = [...phases].map(([phase, ms]) => `${phase} ${Math.round((100 * ms) / total)} %`).join(', ');
  return {
    name: 'market, ingestion',
    ours: rate('ours'),
    peer: rate('copied'),
    unit: 'rows/s',
    ratio: median(rounds.map(({ ours, copied }) => copied / ours)),
    target: { atLeast: 0.6 },
    note: `COPY of the same rows; ${rounds.length} rounds of ${rounds[0]?.rows} rows; ${shares}; reading and matching alone ${Math.round(rate('matched'))} rows/s`,
  };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Writes what an ingestion of the file would send to Postgres. */
export async function writeLines({ context }: MarketDatabase, path: string, into: string): Promise<void> {
  const reference = await loadReference(context);
  const lineOf = lineWriter(context.newId());
  const observe = observer(reference, context.now());
  const content = createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
  const file = { name: path, content, asOf: context.now(), provider: null, scope: '' };
  async function* lines(): AsyncGenerator<string> {
    let text = '';
    for await (const batch of observations.readMany?.(file) ?? []) {
      for (const read of batch) {
        const observed = 'listing' in read ? observe(read) : null;
        if (observed?.kind === 'observation') text += lineOf(observed.observation);
      }
      yield text;
      text = '';
    }
  }
  await pipeline(lines, createWriteStream(into));
}

/** Loads the whole file with one COPY into the comparison table, which is emptied afterwards. */
export async function copyLines({ context: { sql } }: MarketDatabase, lines: string, { days }: Month): Promise<void> {
  await sql.unsafe(`create table plain.of_month partition of plain.observation
    for values from ('${days[0]}') to (date '${days.at(-1)}' + 1)`);
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    const into = await tx`
      copy plain.observation (${tx.unsafe(observationColumns)}) from stdin`.writable();
    await pipeline(createReadStream(lines, { highWaterMark: 64 * 1024 }), into);
  });
  await sql`drop table plain.of_month`;
}
