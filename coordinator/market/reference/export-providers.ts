import { stringify } from 'csv-stringify/sync';
import type { Context } from '../../platform/context.ts';
import { selectProviderTable } from '../queries/providers.ts';
import { providerColumns } from './provider-row.ts';

/** The providers as CSV, in the form that `importProviders` reads. */
export async function exportProviders({ sql }: Context): Promise<string> {
  const rows = await selectProviderTable(sql);
  const records = rows.map((row) =>
    providerColumns.map((column) => {
      if (column === 'aliases') return row.aliases.join('|');
      return column === 'reseller' ? String(row.reseller) : row[column];
    }),
  );
  return stringify([providerColumns, ...records]);
}
