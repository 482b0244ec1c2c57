import type { TokenFile, TokenFileListRequest } from '../../contract/token-files.ts';
import { askedPeriods } from '../../platform/archive/asked-periods.ts';
import { selectArchives } from '../../platform/archive/queries.ts';
import type { Context } from '../../platform/context.ts';
import { pageBounds } from '../../platform/page.ts';
import { keptOf, pathOf } from '../token-part.ts';

/** Files that pass the filter, the newest period first unless told otherwise. */
export async function listFiles(
  { sql }: Context,
  { filter, order_by, paginate }: TokenFileListRequest,
): Promise<{ total: number; results: TokenFile[] }> {
  const { total, rows } = await selectArchives(sql, {
    types: filter.flatMap(({ type }) => type ?? []),
    tiers: null,
    intervals: filter.flatMap(({ interval }) => interval ?? []),
    periods: askedPeriods(filter.flatMap(({ period }) => period ?? [])),
    newestFirst: (order_by[0]?.period ?? 'desc') === 'desc',
    ...pageBounds(paginate),
  });
  const results = rows.map((row) => ({
    id: row.id,
    sequence_id: row.sequence_id,
    ...keptOf(row),
    csv_s3_path: pathOf(row),
  }));
  return { total, results };
}
