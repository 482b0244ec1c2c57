import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../platform/context.ts';
import { readTable } from '../../platform/read-table.ts';
import { upsertProviders } from '../queries/providers.ts';
import { bumpDataVersion } from '../../platform/db/data-version.ts';
import { providerRow, regionRow, type RegionCsvRow } from './provider-row.ts';

const tables = join(import.meta.dirname, '..');

/** The providers that come with the product, in the database. */
export async function ensureProviders(context: Context): Promise<void> {
  const rows = readTable('providers.csv', await readFile(join(tables, 'providers.csv'), 'utf8'), providerRow);
  await context.sql.begin(async (tx) => {
    if ((await upsertProviders(tx, rows, 'seed')) > 0) await bumpDataVersion(tx, 'market');
  });
}

/** Which country a region of a provider lies in. */
export const readRegions = async (): Promise<RegionCsvRow[]> =>
  readTable('regions.csv', await readFile(join(tables, 'regions.csv'), 'utf8'), regionRow);
