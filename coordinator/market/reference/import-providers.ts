import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { readTable, requireOnce } from '../../platform/read-table.ts';
import { nameKey } from '../identity/match-provider.ts';
import { selectKnownProviders, upsertProviders } from '../queries/providers.ts';
import { bumpDataVersion } from '../../platform/db/data-version.ts';
import { providerRow } from './provider-row.ts';

/**
 * An operator's rows into the providers' table, all or none: new sellers, or other names and kinds for known ones. They stay
 * also when a later version of the product brings others. Prices that are stored follow them the next time that their day
 * is read. Throws one sentence that names what is wrong: a name that two providers have would be nobody's.
 */
export async function importProviders(context: Context, name: string, content: string): Promise<{ rows: number }> {
  const rows = readTable(name, content, providerRow);
  requireOnce(name, rows, ['id']);
  await context.sql.begin(async (tx) => {
    await upsertProviders(tx, rows, 'import');
    const owners = new Map<string, string>();
    for (const { slug, name: called, aliases } of await selectKnownProviders(tx))
      for (const said of [slug, called, ...aliases]) {
        const other = owners.get(nameKey(said)) ?? slug;
        if (other !== slug) {
          const message = `${name}: both ${other} and ${slug} would be called "${said}". Take it from one of them.`;
          throw new DomainError('validation', message);
        }
        owners.set(nameKey(said), slug);
      }
    await bumpDataVersion(tx, 'market');
  });
  return { rows: rows.length };
}
