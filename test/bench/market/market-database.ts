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

/** USD per yuan, approximately right for all these days; the listings use no other foreign currency. */
const CNY = 0.139;

/** A market that is filled month by month. */
export interface MarketDatabase {
  context: Context;
  url: string;
  /** token of a user who may read prices */
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

/** Listings that give an observation: their label and seller are known, so that every row written is stored. */
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

/** Ingests a file the way `coordinator ingest` does; throws if not every row was stored. */
export async function ingest({ context }: MarketDatabase, path: string, rows: number): Promise<void> {
  const read = {
    connector: observations,
    place: path,
    asOf: null,
    provider: null,
    allowPrivateAddresses: false,
    again: false,
    acceptCoverageDrop: false,
    unitChangedOn: [],
  };
  for await (const report of ingestSource(context, read, () => undefined)) {
    const kept = report.kind === 'stored' ? report.run.rowsKept : 0;
    if (kept !== rows) throw new Error(`${path}: ${kept} of ${rows} rows stored (${report.kind})`);
  }
}

/** Every month in turn; `fill` processes the month's file and ingests it by default. */
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
