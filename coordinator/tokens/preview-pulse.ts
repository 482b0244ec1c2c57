import type { PulseRow } from '../contract/token-prices.ts';
import { daysOf, type PulsePreviewRequest } from '../contract/token-views.ts';
import type { Context } from '../platform/context.ts';
import { pageBounds } from '../platform/page.ts';
import { requireHistory } from '../platform/require-terms.ts';
import { filterOf, orderOf, viewOf, type Results, type ViewOrder } from './data-view.ts';
import type { HotTokens } from './hot-tokens.ts';
import { pulseRowOf, storedColumn, type PulseFigures } from './pulse-row.ts';
import { selectPulseView } from './queries/views.ts';

/**
 * The market pulse of the newest day or of the days that the filter names, the newest first; the last 30 days are in memory.
 * Throws 34004 for days that the subscription does not reach back to.
 */
export async function previewPulse(
  { sql, actor, now }: Context,
  hot: HotTokens,
  request: PulsePreviewRequest,
): Promise<Results<PulseRow>> {
  const days = daysOf(request.filter);
  for (const day of days ?? []) requireHistory(actor, { field: 'the dates of filter', day, now: now() });
  return hot.answers('pulse/preview', request, async () => {
    const filter = filterOf(request.filter);
    const order = orderOf(request.order_by).map(([column, way]): ViewOrder[number] => [storedColumn(column), way]);
    const held = rowsInMemory(hot, days);
    if (held !== null) {
      const { total, results } = viewOf(held, filter, order, request.paginate);
      return { total, results: results.map(pulseRowOf) };
    }
    const view = { days: days ?? [], filter, order, ...pageBounds(request.paginate) };
    const { total, rows } = await selectPulseView(sql, view);
    return { total, results: rows.map(pulseRowOf) };
  });
}

/** Null if some of the days may be stored only. */
function rowsInMemory(
  { newestPulse, pulse, pulseFrom, pulseDay }: HotTokens,
  days: readonly string[] | null,
): PulseFigures[] | null {
  if (days === null) return newestPulse;
  if (pulseFrom === null || pulseDay === null) return [];
  if (days.some((day) => day < pulseFrom)) return null;
  const wanted = new Set(days);
  return pulse.filter(({ date }) => wanted.has(date));
}
