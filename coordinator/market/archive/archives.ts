import { buildArchive, type BuiltArchive } from '../../platform/archive/build-archive.ts';
import { periodsOf, askedPeriods } from '../../platform/archive/periods.ts';
import { removeReplaced, linkArchive } from '../../platform/archive/link-archive.ts';
import type { Context } from '../../platform/context.ts';
import { readArchiveRows, selectFingerprint, selectPricedDays, type GpuPart } from './queries.ts';
import { schemaOn } from './archive-schema.ts';
import {
  archiveTypes,
  type archiveIntervals,
  type ArchiveFile,
  type ArchiveListRequest,
} from '../../contract/market.ts';
import { selectArchives, findArchive } from '../../platform/archive/queries.ts';
import { pageBounds } from '../../platform/page.ts';
import { DomainError } from '../../platform/errors.ts';
import { requireArchiveTier } from '../../platform/require-terms.ts';

const tiers = [2, 3] as const;
const types = ['rental', 'retail'] as const;
const intervals = ['day', 'month', 'quarter', 'year'] as const;
const rows = { read: readArchiveRows, fingerprint: selectFingerprint };

/**
 * Builds all files of both tiers whose period has days between `from` and `to`, in the columns in force today. Each
 * file has a transaction of its own: finished files stay if a later one fails, and are not built again.
 */
export async function* buildArchives(
  context: Context,
  { from, to }: { from: string; to: string },
): AsyncGenerator<BuiltArchive<GpuPart>> {
  const today = context.now().toISOString().slice(0, 10);
  await removeReplaced(context);
  for (const type of types) {
    const days = await selectPricedDays(context.sql, type, from, to);
    const version = schemaOn(today, type);
    const periods = intervals.flatMap((interval) => periodsOf(interval, days));
    // One after the other: files with the same rows share one artifact, which two transactions would replace at once.
    for (const tier of tiers)
      for (const period of periods) yield await buildArchive(context, rows, { tier, type, period, version });
  }
}

const DEFAULT_TIER = 3;

/**
 * Archive files that pass the filter, the newest period first unless `order_by` says otherwise. Tier 3 if no tier is
 * given; a repeated key matches any of its values.
 */
export async function listArchives(
  { sql }: Context,
  { filter, order_by, paginate }: ArchiveListRequest,
): Promise<{ total: number; results: ArchiveFile[] }> {
  const asked = { tiers: [] as number[], intervals: [] as string[], types: [] as string[], periods: [] as string[] };
  for (const entry of filter) {
    if ('tier' in entry) asked.tiers.push(entry.tier);
    else if ('interval' in entry) asked.intervals.push(entry.interval);
    else if ('type' in entry) asked.types.push(entry.type);
    else if ('period' in entry) asked.periods.push(entry.period);
  }
  const { total, rows } = await selectArchives(sql, {
    types: asked.types.length > 0 ? asked.types : archiveTypes,
    tiers: asked.tiers.length > 0 ? asked.tiers : [DEFAULT_TIER],
    intervals: asked.intervals.length > 0 ? asked.intervals : null,
    periods: askedPeriods(asked.periods),
    newestFirst: (order_by[0]?.period ?? 'desc') === 'desc',
    ...pageBounds(paginate),
  });
  const results = rows.map(({ id, sequence_id, tier, interval, period, type }) => ({
    id,
    sequence_id,
    tier: tier ?? DEFAULT_TIER,
    // the archive types selected here have only these intervals
    interval: interval as (typeof archiveIntervals)[number],
    period,
    type: type as (typeof archiveTypes)[number],
    csv_s3_path: `gpu/tier${tier ?? DEFAULT_TIER}/${type}/${interval}/${period}.csv.gz`,
  }));
  return { total, results };
}

/**
 * A URL that opens the file without a credential for an hour. Throws `not_found` for an id that is not listed, 34004
 * for a tier that the subscription does not include.
 */
export async function downloadArchive(context: Context, id: string): Promise<{ csv_download_url: string }> {
  const file = await findArchive(context.sql, { types: archiveTypes, id, name: null });
  if (file === null || file.tier === null)
    throw new DomainError('not_found', `No archive file has the id ${id}. Take ids from archive/list.`);
  requireArchiveTier(context.actor, file.tier);
  return linkArchive(context, file, `gpu-${file.type}-tier${file.tier}-${file.interval}-${file.period}.csv`);
}
