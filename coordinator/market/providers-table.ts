import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { providerSourceType } from '../contract/price-type.ts';
import type { Context } from '../platform/context.ts';
import { csvRecord } from '../platform/csv.ts';
import { bumpDataVersion } from '../platform/db/data-version.ts';
import { lockForLong } from '../platform/db/transactions.ts';
import { DomainError } from '../platform/errors.ts';
import { readTable, requireOnce } from '../platform/read-table.ts';
import { nameKey } from './identity/match-provider.ts';
import {
  selectKnownProviders,
  selectProviderTable,
  upsertProviders,
  type ProviderTableRow,
} from './queries/reference.ts';

const cell = z.string().trim();
const country = cell.regex(/^([A-Z]{2})?$/, 'must be two capital letters or empty');

/** One row of the providers' table as CSV. */
export const providerRow = z.object({
  id: cell.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words with hyphens').max(80),
  name: cell.min(1).max(120),
  aliases: cell
    .transform((text) => text.split('|').map((alias) => alias.trim()))
    .transform((aliases) => aliases.filter((alias) => alias !== '')),
  provider_source_type: providerSourceType,
  reseller: z.enum(['true', 'false']).transform((text) => text === 'true'),
  default_country: country.transform((text) => (text === '' ? null : text)),
});

/** Columns in the order of the file. */
const providerColumns = Object.keys(providerRow.shape) as (keyof ProviderTableRow)[];

const shipped = join(import.meta.dirname, 'providers.csv');

/** Writes the providers that ship with the product to the database. */
export async function ensureProviders(context: Context): Promise<void> {
  const rows = readTable('providers.csv', await readFile(shipped, 'utf8'), providerRow);
  await context.sql.begin(async (tx) => {
    await lockForLong(tx, 'provider');
    if ((await upsertProviders(tx, rows, 'seed')) > 0) await bumpDataVersion(tx, 'market');
  });
}

/**
 * Imports an operator's rows into the providers' table, all or none: new sellers, or other names and kinds for known
 * ones. A later version of the product does not overwrite them. Stored prices reflect them once their day is read
 * again. Throws one sentence that names what is wrong: a name that two providers share would match neither.
 */
export async function importProviders(context: Context, name: string, content: string): Promise<{ rows: number }> {
  const rows = readTable(name, content, providerRow);
  requireOnce(name, rows, ['id']);
  await context.sql.begin(async (tx) => {
    await lockForLong(tx, 'provider');
    await upsertProviders(tx, rows, 'import');
    const owners = new Map<string, string>();
    for (const { slug, name: called, aliases } of await selectKnownProviders(tx))
      for (const said of [slug, called, ...aliases]) {
        const other = owners.get(nameKey(said)) ?? slug;
        if (other !== slug) {
          const message = `${name}: both ${other} and ${slug} would be called "${said}". Remove it from one of them.`;
          throw new DomainError('validation', message);
        }
        owners.set(nameKey(said), slug);
      }
    await bumpDataVersion(tx, 'market');
  });
  return { rows: rows.length };
}

/** The providers as CSV, in the form that `importProviders` reads. */
export async function exportProviders({ sql }: Context): Promise<string> {
  const rows = await selectProviderTable(sql);
  const records = rows.map((row) =>
    providerColumns.map((column) => (column === 'aliases' ? row.aliases.join('|') : row[column])),
  );
  return [providerColumns, ...records].map((record) => `${csvRecord(record)}\n`).join('');
}
