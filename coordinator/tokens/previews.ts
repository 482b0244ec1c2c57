import type { BookRow, PulseRow } from '../contract/token-prices.ts';
import {
  daysOf,
  type BookPreviewQuery,
  type BookPreviewRequest,
  type PulsePreviewRequest,
} from '../contract/token-views.ts';
import type { Context } from '../platform/context.ts';
import type { Queryable } from '../platform/db/client.ts';
import { dearQuery } from '../platform/limits/dear-query.ts';
import { pageBounds } from '../platform/page.ts';
import { requireHistory } from '../platform/require-terms.ts';
import { filterOf, orderOf, viewOf, type Results, type ViewOrder } from './data-view.ts';
import type { HotTokens } from './hot-tokens.ts';
import { selectBookView, selectPulseView } from './queries/views.ts';
import { pulseRowOf, storedColumn, type PulseFigures } from './pulse-trend.ts';

/**
 * The price book of the newest day, from memory, or of the days that the filter names, the newest first. Throws 34004 for days
 * that the subscription does not reach back to.
 */
export async function previewBook(
  context: Context,
  hot: HotTokens,
  request: BookPreviewRequest,
): Promise<Results<BookRow>> {
  requireDays(context, request);
  const days = daysOf(request.filter);
  const [filter, order, { paginate }] = [filterOf(request.filter), orderOf(request.order_by), request];
  if (days === null || days.every((day) => day === hot.bookDay))
    return hot.answers('book/preview', request, () => viewOf(hot.book, filter, order, paginate));
  return dearQuery(context, { days: days.length, paginate }, (sql) =>
    hot.answers('book/preview', request, async () => {
      const { total, rows } = await selectBookView(sql, { days, filter, order, ...pageBounds(paginate) });
      return { total, results: rows };
    }),
  );
}

/** A parameter of the query overrides the same field of the body. */
export const askedBookView = (
  body: BookPreviewRequest,
  { filter, order_by, pagination }: BookPreviewQuery,
): BookPreviewRequest => ({
  filter: filter ?? body.filter,
  order_by: order_by ?? body.order_by,
  paginate: pagination ?? body.paginate,
});

/**
 * The market pulse of the newest day or of the days that the filter names, the newest first; the last 30 days are in memory.
 * Throws 34004 for days that the subscription does not reach back to.
 */
export async function previewPulse(
  context: Context,
  hot: HotTokens,
  request: PulsePreviewRequest,
): Promise<Results<PulseRow>> {
  requireDays(context, request);
  return answerPulse(context, hot, request, (sql) =>
    hot.answers('pulse/preview', request, async () => {
      const { total, results } = await viewPulse(sql, hot, request);
      return { total, results: results.map(pulseRowOf) };
    }),
  );
}

/** The same rows as stored: with the sellers behind each price and the counts behind each volume, which API rows lack. */
export async function pulseFigures(
  context: Context,
  hot: HotTokens,
  request: PulsePreviewRequest,
): Promise<Results<PulseFigures>> {
  requireDays(context, request);
  return answerPulse(context, hot, request, (sql) =>
    hot.answers('pulse/figures', request, () => viewPulse(sql, hot, request)),
  );
}

/** At once from memory, or in its turn from the database. */
function answerPulse<R>(
  context: Context,
  hot: HotTokens,
  { filter, paginate }: PulsePreviewRequest,
  answer: (sql: Queryable) => Promise<Results<R>>,
): Promise<Results<R>> {
  const days = daysOf(filter);
  if (days === null || areInMemory(hot, days)) return answer(context.sql);
  return dearQuery(context, { days: days.length, paginate }, answer);
}

function requireDays({ actor, now }: Context, { filter }: { filter: Parameters<typeof daysOf>[0] }): void {
  for (const day of daysOf(filter) ?? []) requireHistory(actor, { field: 'the dates of filter', day, now: now() });
}

async function viewPulse(sql: Queryable, hot: HotTokens, request: PulsePreviewRequest): Promise<Results<PulseFigures>> {
  const days = daysOf(request.filter);
  const filter = filterOf(request.filter);
  const order = orderOf(request.order_by).map(([column, direction]): ViewOrder[number] => [
    storedColumn(column),
    direction,
  ]);
  const held = rowsInMemory(hot, days);
  if (held !== null) return viewOf(held, filter, order, request.paginate);
  const view = { days: days ?? [], filter, order, ...pageBounds(request.paginate) };
  const { total, rows } = await selectPulseView(sql, view);
  return { total, results: rows };
}

/** Days before the first that has a pulse are empty; those before the held 30 are in the database. */
const areInMemory = ({ pulseFrom }: Pick<HotTokens, 'pulseFrom'>, days: readonly string[]): boolean =>
  pulseFrom === null || days.every((day) => day >= pulseFrom);

/** Null if some of the days are older than those in memory. */
function rowsInMemory(
  { newestPulse, pulse, pulseFrom, pulseDay }: HotTokens,
  days: readonly string[] | null,
): PulseFigures[] | null {
  if (days === null) return newestPulse;
  if (pulseFrom === null || pulseDay === null) return [];
  if (!areInMemory({ pulseFrom }, days)) return null;
  const wanted = new Set(days);
  return pulse.filter(({ date }) => wanted.has(date));
}

/** Rows of sample data. */
const MOST = 20;

/** The first rows of the newest day's price book, and how many it has. */
export const latestBook = ({ book }: HotTokens): Results<BookRow> => ({
  total: book.length,
  results: book.slice(0, MOST),
});

/** The same of the market pulse. */
export const latestPulse = ({ newestPulse }: HotTokens): Results<PulseRow> => ({
  total: newestPulse.length,
  results: newestPulse.slice(0, MOST).map(pulseRowOf),
});
