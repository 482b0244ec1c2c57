import {
  archiveTypes,
  type archiveIntervals,
  type ArchiveFile,
  type ArchiveListRequest,
} from '../../contract/market.ts';
import { askedPeriods } from '../../platform/archive/asked-periods.ts';
import { selectArchives } from '../../platform/archive/queries.ts';
import type { Context } from '../../platform/context.ts';
import { pageBounds } from '../../platform/page.ts';

const DEFAULT_TIER = 3;

/**
 * Archive files that pass the filter, the newest period first unless told otherwise. Of tier 3 if no tier is named; a key
 * that is repeated means any of its values.
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
    else asked.periods.push(entry.period);
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
    // of the types that were asked for, which have these alone
    interval: interval as (typeof archiveIntervals)[number],
    period,
    type: type as (typeof archiveTypes)[number],
    csv_s3_path: `gpu/tier${tier ?? DEFAULT_TIER}/${type}/${interval}/${period}.csv.gz`,
  }));
  return { total, results };
}
