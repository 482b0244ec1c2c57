import type { ArchiveFile, ArchiveListRequest } from '../../contract/market.ts';
import type { Context } from '../../platform/context.ts';
import { pageBounds } from '../../platform/page.ts';
import { selectArchives } from '../queries/archives.ts';

const DEFAULT_TIER = 3;

/** Archive files that pass the filter, the newest period first unless told otherwise. Of tier 3 where no tier is named. */
export async function listArchives(
  { sql }: Context,
  { filter, order_by, paginate }: ArchiveListRequest,
): Promise<{ total: number; results: ArchiveFile[] }> {
  const asked: { tier?: number; interval?: string; type?: string; period?: string } = Object.assign({}, ...filter);
  const { from, to } = rangeOf(asked.period);
  return selectArchives(sql, {
    tier: asked.tier ?? DEFAULT_TIER,
    interval: asked.interval ?? null,
    type: asked.type ?? null,
    period: from === null ? (asked.period ?? null) : null,
    from,
    to,
    newestFirst: (order_by[0]?.period ?? 'desc') === 'desc',
    ...pageBounds(paginate),
  });
}

/** '2026/08/01-2026/08/31' as days; nulls where it is a period's own name. */
function rangeOf(period: string | undefined): { from: string | null; to: string | null } {
  const [from, to] = period?.includes('/') ? period.replaceAll('/', '.').split('-') : [];
  return { from: from?.replaceAll('.', '-') ?? null, to: to?.replaceAll('.', '-') ?? null };
}
