import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { makeDataDir, removeDataDir } from '../../support/data-dir.ts';
import { skippedRow, type BenchRow } from '../bench-row.ts';
import { benchPostgres } from '../coordinator/bench-database.ts';
import { withoutShared } from '../../coordinator/ingest/read-source.ts';
import { benchArchives } from './archives.ts';
import { benchIngestion } from './ingestion.ts';
import { benchLatency } from './latency.ts';
import { createMarket, fillMonths, knownListings } from './market-database.ts';
import { benchProviders } from './providers.ts';
import { realListings } from './real-listings.ts';

/** Of the larger market. */
const ROWS = 50_000_000;
/** The smaller market has a tenth of the rows. */
const TENTH = 10;
/** Bytes of disk per row, for both markets with their indexes and the month's files, and for an empty server. */
const [ROW_BYTES, EMPTY_BYTES] = [400, 4e9];
/** Copies and clean-ups of fifty million rows take longer than the timeout for requests. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

/**
 * The market at its design size: fifty million observations over two years, drawn from real publishers' files. Needs
 * those files beside the checkout and 24 GB of disk in TMPDIR.
 */
export async function benchMarket(rows = ROWS): Promise<BenchRow[]> {
  if (!Number.isInteger(rows / TENTH) || rows < 100_000) throw new Error('ROWS must be a number from 100000, of tens');
  if (withoutShared !== false) return [skippedRow('market', withoutShared)];
  const disk = await statfs(tmpdir());
  const [free, needed] = [disk.bavail * disk.bsize, rows * ROW_BYTES + EMPTY_BYTES];
  const gigabytes = (bytes: number): string => `${Math.ceil(bytes / 1e9)} GB`;
  if (free < needed)
    return [skippedRow('market', `${gigabytes(needed)} of disk needed in ${tmpdir()}, ${gigabytes(free)} are free`)];
  const folder = await makeDataDir(tmpdir());
  const postgres = await benchPostgres(STATEMENT_TIMEOUT_MS);
  try {
    const small = await createMarket(postgres, 'market_small', rows / TENTH);
    const big = await createMarket(postgres, 'market_big', rows);
    const listings = await knownListings(big, await realListings());
    await fillMonths(small, { folder, listings });
    const ingestion = await benchIngestion(big, { folder, listings });
    return [
      ingestion,
      await benchProviders(big),
      ...(await benchLatency(big, small)),
      await benchArchives(big, folder),
    ];
  } finally {
    await postgres.close();
    await removeDataDir(folder);
  }
}
