import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataDir, removeDataDir } from '../../support/data-dir.ts';
import { withoutShared } from '../../coordinator/ingest/read-source.ts';
import { skippedRow, type BenchRow } from '../bench-row.ts';
import { benchPostgres, type BenchPostgres } from '../coordinator/bench-database.ts';
import { startBenchServer } from '../coordinator/bench-server.ts';
import { seedContext } from '../coordinator/seed.ts';
import { createMarket, fillMonths, knownListings } from '../market/market-database.ts';
import { realListings } from '../market/real-listings.ts';
import { cookieOf } from './cookie-of.ts';
import { benchLive } from './live.ts';
import { findKnown } from './page-requests.ts';
import { benchAgainstQueries, benchPages } from './pages.ts';
import { OWNER, seedPortal } from './seed-portal.ts';

const PRICE_ROWS = 10_000_000;
const STATEMENT_TIMEOUT_MS = 3_600_000;
const NAME = 'portal';

/**
 * Pages over 100,000 jobs and ten million observed prices, and live pages. `PORTAL_DATA` names a folder in which the
 * filled database is kept for the next run; `PORTAL_PART` is `fill`, `pages` or `live`; `PORTAL_PAGES` are the paths of
 * selected pages.
 */
export async function benchPortal(): Promise<BenchRow[]> {
  if (withoutShared !== false) return [skippedRow('portal', withoutShared)];
  const { PORTAL_DATA: kept = null, PORTAL_PART: part = 'all' } = process.env;
  if (kept !== null) await mkdir(kept, { recursive: true, mode: 0o755 });
  const postgres = await benchPostgres(STATEMENT_TIMEOUT_MS, kept);
  try {
    const { sql, url } = await filled(postgres);
    if (part === 'fill') return [];
    const context = seedContext(sql);
    const [owner] = await sql<{ id: string; customer_id: string }[]>`
      select id, customer_id from user_account where email = ${OWNER}`;
    if (!owner) throw new Error('the database was not filled to its end: remove its folder');
    const known = await findKnown(sql, owner.customer_id);
    const server = await startBenchServer(join(import.meta.dirname, 'portal-server.ts'), url);
    try {
      const cookie = await cookieOf(context, owner.id);
      return [
        ...(part === 'live' ? [] : await benchPages(server, known, cookie)),
        ...(part === 'live' ? [] : await benchAgainstQueries(server, known, cookie)),
        ...(part === 'pages' ? [] : await benchLive(server, context)),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await postgres.close();
  }
}

async function filled(postgres: BenchPostgres) {
  const { sql, url } = await postgres.create(NAME);
  const [{ has } = { has: false }] = await sql<{ has: boolean }[]>`select exists (select from observation) as has`;
  if (has) return { sql, url };
  const folder = await makeDataDir(tmpdir());
  try {
    const market = await createMarket(postgres, NAME, PRICE_ROWS);
    const listings = await knownListings(market, await realListings());
    await fillMonths(market, { folder, listings });
    await seedPortal(market.context, { sql, url });
    return { sql, url };
  } finally {
    await removeDataDir(folder);
  }
}
