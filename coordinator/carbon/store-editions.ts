import type { Context } from '../platform/context.ts';
import { bumpDataVersion } from '../platform/db/data-version.ts';
import { lockByName, mayTakeLong } from '../platform/db/transactions.ts';
import type { Edition } from './factors/edition.ts';
import { sources } from './factors/sources.ts';
import { isStored, replaceEdition, upsertSource } from './queries.ts';
import { co2jsEditions } from './shipped/co2js.ts';
import { tableEditions } from './shipped/tables.ts';

/** Stores the factors, zips and regions that come with this version. What an operator has loaded is kept too. */
export async function ensureCarbon(context: Context): Promise<void> {
  await storeEditions(context, [...co2jsEditions(), ...(await tableEditions())]);
}

/** Stores all of them or none; those with the same bytes as before are left as they are. Returns which were stored. */
export async function storeEditions(context: Context, editions: readonly Edition[]): Promise<Edition[]> {
  const { sql, newId, now } = context;
  return sql.begin(async (tx) => {
    await mayTakeLong(tx);
    // Two processes that start together would both see that nothing is stored.
    await lockByName(tx, 'carbon editions');
    const news: Edition[] = [];
    for (const edition of editions) if (!(await isStored(tx, edition))) news.push(edition);
    for (const edition of news) {
      await upsertSource(tx, edition.source, sources[edition.source]);
      await replaceEdition(tx, edition, { id: newId(), at: now() });
    }
    if (news.length > 0) await bumpDataVersion(tx, 'carbon');
    return news;
  });
}
