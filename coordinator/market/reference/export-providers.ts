import type { Context } from '../../platform/context.ts';
import { csvRecord } from '../../platform/csv.ts';
import { selectProviderTable } from '../queries/providers.ts';
import { providerColumns } from './provider-row.ts';

/** The providers as CSV, in the form that `importProviders` reads. */
export async function exportProviders({ sql }: Context): Promise<string> {
  const rows = await selectProviderTable(sql);
  const records = rows.map((row) =>
    providerColumns.map((column) => {
      if (column === 'aliases') return row.aliases.join('|');
      return row[column];
    }),
  );
  return [providerColumns, ...records].map((record) => `${csvRecord(record)}\n`).join('');
}
