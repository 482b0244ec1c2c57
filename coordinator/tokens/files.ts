import {
  tokenFileIntervals,
  tokenFileTypes,
  type TokenFile,
  type TokenFileListRequest,
} from '../contract/token-files.ts';
import { type BuiltArchive, buildInTurn } from '../platform/archive/build-archive.ts';
import { periodsOf, askedPeriods } from '../platform/archive/periods.ts';
import { removeReplaced, linkArchive } from '../platform/archive/link-archive.ts';
import type { Context } from '../platform/context.ts';
import { readFileRows, selectFileFingerprint, selectStoredDays } from './queries/file-rows.ts';
import { partOf, type TokenPart, keptOf, pathOf, usualName } from './token-part.ts';
import { selectArchives, findArchive } from '../platform/archive/queries.ts';
import { pageBounds } from '../platform/page.ts';
import { DomainError } from '../platform/errors.ts';

// A file is rebuilt if its rows differ, by sums of hashes of the period's rows: deriving the same rows again does not rebuild it.
// A month of pulse with days of both schemas (July 2026) has the price columns of both, each empty on the days of the other.

export const tokenRows = { read: readFileRows, fingerprint: selectFileFingerprint };

/** All files of book and pulse whose period has days between `from` and `to`; each in a transaction of its own. */
export async function* buildTokenArchives(
  context: Context,
  { from, to }: { from: string; to: string },
): AsyncGenerator<BuiltArchive<TokenPart>> {
  await removeReplaced(context);
  for (const type of tokenFileTypes) {
    const days = await selectStoredDays(context.sql, type, from, to);
    const periods = tokenFileIntervals.flatMap((interval) => periodsOf(interval, days));
    yield* buildInTurn(
      context,
      tokenRows,
      periods.map((period) => partOf(type, period)),
    );
  }
}

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

/** A URL that opens the file without a credential for an hour. Throws `not_found` if no file of token prices has the id. */
export async function downloadFile(context: Context, id: string): Promise<{ csv_download_url: string }> {
  const file = await findArchive(context.sql, { types: tokenFileTypes, id, name: null });
  if (file === null)
    throw new DomainError('not_found', `No file of token prices has the id ${id}. Take ids from list.`);
  return linkArchive(context, file, `${usualName(file)}.csv`);
}
