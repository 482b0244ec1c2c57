import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { bumpDataVersion } from '../platform/db/data-version.ts';
import { lockByName, lockForLong, rollBack } from '../platform/db/transactions.ts';
import { dropOfPart, type Counts, type CoverageDrop } from '../platform/readings/coverage.ts';
import { insertRun, lockScope } from '../platform/readings/queries.ts';
import { bringBack, selectReplacing } from '../platform/readings/queries/replaced-rows.ts';
import type { KeptReadings } from '../platform/readings/undo-reading.ts';
import { rowsOf, type Edition } from './factors/edition.ts';
import { sources } from './factors/sources.ts';
import {
  deleteShipped,
  editionTables,
  insertEdition,
  isStored,
  markEditionReplaced,
  selectStandingEditions,
  setEditionAside,
  upsertSource,
} from './queries.ts';
import { co2jsEditions } from './shipped/co2js.ts';
import { tableEditions } from './shipped/tables.ts';

/** Stores the factors, zips and regions that come with this version. What an operator has loaded is kept too. */
export async function ensureCarbon(context: Context): Promise<void> {
  await storeEditions(context, [...co2jsEditions(), ...(await tableEditions())]);
}

/** Stores all of them or none; those with the same bytes as before are left as they are. Returns which were stored. */
export async function storeEditions(context: Context, editions: readonly Edition[]): Promise<Edition[]> {
  return context.sql.begin(async (tx) => {
    const news = await newOf(tx, editions);
    for (const edition of news) {
      await deleteShipped(tx, edition);
      await insertEdition(tx, edition, { id: context.newId(), at: context.now() });
    }
    if (news.length > 0) await bumpDataVersion(tx, 'carbon');
    return news;
  });
}

/** Which editions a file added, or the drop for which it was not loaded. */
type LoadedEditions =
  | { kind: 'stored'; stored: Edition[]; drops: CoverageDrop[] }
  | { kind: 'dropped'; drop: CoverageDrop };

interface LoadedFile {
  /** rows of the file */
  rowsRead: number;
  startedAt: Date;
  /** store it even if it has far less than what it replaces */
  acceptCoverageDrop: boolean;
}

/**
 * Stores the editions of an operator's file, all or none, each as a reading; what they replace is kept aside. One with far
 * less than what stands of its part, loaded or shipped, is not stored.
 */
export async function loadEditions(
  context: Context,
  editions: readonly Edition[],
  { rowsRead, startedAt, acceptCoverageDrop }: LoadedFile,
): Promise<LoadedEditions> {
  return context.sql.begin(async (tx): Promise<LoadedEditions> => {
    // In the order in which an undo takes its locks: the part, then all editions.
    for (const { source, scope } of editions.toSorted((a, b) => (a.scope < b.scope ? -1 : 1)))
      await lockScope(tx, source, scope);
    const news = await newOf(tx, editions);
    const drops: CoverageDrop[] = [];
    for (const edition of news) {
      const [id, at] = [context.newId(), context.now()];
      const standing = await selectStandingEditions(tx, edition);
      const counts = countsOf(edition);
      const [measure] = standing;
      const drop =
        measure === undefined ? null : dropOfPart(`${edition.source}, ${edition.scope}`, measure.counts, counts);
      if (drop !== null && !acceptCoverageDrop) {
        await rollBack(tx);
        return { kind: 'dropped', drop };
      }
      if (drop !== null) drops.push(drop);
      const earlier = standing.find(({ shipped }) => !shipped);
      const replaced = earlier === undefined ? 0 : await setEditionAside(tx, earlier.edition_id, id);
      await insertRun(tx, {
        id,
        source: edition.source,
        scope: edition.scope,
        origin: edition.origin,
        file: null,
        content_sha256: edition.sha256,
        first_day: null,
        last_day: null,
        rows_read: rowsRead,
        rows_kept: rowsOf(edition),
        refused: edition.refused,
        unmatched: 0,
        started_at: startedAt,
        ended_at: at,
        covers: { days: 0, covered: counts, drop_accepted: drop !== null, rows_replaced: replaced },
      });
      if (earlier !== undefined) await markEditionReplaced(tx, { id: earlier.edition_id, rows: replaced, by: id });
      await insertEdition(tx, edition, { id, at });
    }
    if (news.length > 0) await bumpDataVersion(tx, 'carbon');
    return { kind: 'stored', stored: news, drops };
  });
}

/** Those whose bytes are not stored yet. Locks the editions: two processes that start together would both see nothing stored. */
async function newOf(tx: Transaction, editions: readonly Edition[]): Promise<Edition[]> {
  await lockForLong(tx, 'carbon editions');
  const news: Edition[] = [];
  for (const edition of editions) if (!(await isStored(tx, edition))) news.push(edition);
  for (const { source } of news) await upsertSource(tx, source, sources[source]);
  return news;
}

const countsOf = ({ factors, zips, regions, defaultPostcodes }: Edition): Counts => ({
  factors: factors.length,
  'groups of zips': zips.length,
  regions: regions.length,
  'post codes': defaultPostcodes.length,
});

export const isCarbonSource = (source: string): boolean => source in sources;

/** Readings of carbon data. Zones stay: others may use them, and without factors they answer nothing. */
export const keptCarbon: KeptReadings = {
  replacing: selectReplacing,
  exchange: async (tx, { id }) => {
    await lockByName(tx, 'carbon editions');
    const rowsAside = await setEditionAside(tx, id, id);
    const rowsBack = await bringBack(tx, editionTables, id);
    // Without the edition itself.
    return { rowsAside, rowsBack: Math.max(rowsBack - 1, 0), days: [] };
  },
  derive: (tx) => bumpDataVersion(tx, 'carbon'),
};
