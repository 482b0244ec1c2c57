import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fillMarket } from '../../../coordinator/commands/open-platform.ts';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { ingestSource } from '../../../coordinator/ingest/ingest-source.ts';
import type { Listing } from '../../../coordinator/ingest/listing.ts';
import { observer } from '../../../coordinator/ingest/observe.ts';
import { loadReference, storeRates } from '../../../coordinator/market/ingestion/load-reference.ts';
import type { Context } from '../../../coordinator/platform/context.ts';
import type { BenchPostgres } from '../coordinator/bench-database.ts';
import { seedContext, seedUser } from '../coordinator/seed.ts';
import { days, months, writeMonth, type Month } from './synthetic-market.ts';

/** USD for one yuan, about that of all these days; the listings have no other currency. */
const CNY = 0.139;

/** A market that is filled month by month. */
export interface MarketDatabase {
  context: Context;
  url: string;
  /** of somebody who may read */
  bearer: string;
  /** over all months */
  rows: number;
}

export async function createMarket(postgres: BenchPostgres, name: string, rows: number): Promise<MarketDatabase> {
  const { sql, url } = await postgres.create(name);
  const context = seedContext(sql);
  await fillMarket(context);
  await storeRates(
    context,
    days.map((day) => ({ currency: 'CNY', day, usd: CNY })),
  );
  const { bearer } = await seedUser(context);
  return { context, url, bearer, rows };
}

/** Those that give an observation: their label and seller have a meaning, so that as many rows are stored as are written. */
export async function knownListings(
  { context }: MarketDatabase,
  listings: readonly Listing[],
): Promise<readonly Listing[]> {
  const last = new Date(days.at(-1) ?? '');
  const observe = observer(await loadReference(context), last);
  return listings.filter(
    (listing) => observe({ row: 1, text: '', listing: { ...listing, observedAt: last } }).kind === 'observation',
  );
}

/** A file through the path that `coordinator ingest` takes; throws if not every row of it was stored. */
export async function ingest({ context }: MarketDatabase, path: string, rows: number): Promise<void> {
  const read = {
    connector: observations,
    place: path,
    asOf: null,
    provider: null,
    allowPrivateAddresses: false,
    again: false,
    acceptCoverageDrop: false,
  };
  for await (const report of ingestSource(context, read, () => undefined)) {
    const kept = report.kind === 'stored' ? report.run.rowsKept : 0;
    if (kept !== rows) throw new Error(`${path}: ${kept} of ${rows} rows stored (${report.kind})`);
  }
}

/** Every month in turn; `fill` does with the month's file what it likes, by default it is ingested. */
export async function fillMonths(
  market: MarketDatabase,
  { folder, listings }: { folder: string; listings: readonly Listing[] },
  fill: (path: string, rows: number, month: Month) => Promise<void> = (path, rows) => ingest(market, path, rows),
): Promise<void> {
  for (const month of months) {
    const path = join(folder, `market-${month.name}.csv`);
    const rows = await writeMonth(path, month, { rows: market.rows, listings });
    await fill(path, rows, month);
    await rm(path);
    process.stderr.write(`bench: market of ${market.rows} rows: ${month.name}\n`);
  }
  await market.context.sql`vacuum analyze`;
}
