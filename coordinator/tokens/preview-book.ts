import type { BookRow } from '../contract/token-prices.ts';
import { daysOf, type BookPreviewQuery, type BookPreviewRequest } from '../contract/token-views.ts';
import type { Context } from '../platform/context.ts';
import { pageBounds } from '../platform/page.ts';
import { requireHistory } from '../platform/require-terms.ts';
import { filterOf, orderOf, viewOf, type Results } from './data-view.ts';
import type { HotTokens } from './hot-tokens.ts';
import { selectBookView } from './queries/views.ts';

/**
 * The price book of the newest day, out of memory, or of the days that the filter names; the newest day first. Throws 34004
 * for days that the subscription does not reach back to.
 */
export async function previewBook(
  { sql, actor, now }: Context,
  hot: HotTokens,
  request: BookPreviewRequest,
): Promise<Results<BookRow>> {
  const days = daysOf(request.filter);
  for (const day of days ?? []) requireHistory(actor, { field: 'the dates of filter', day, now: now() });
  return hot.answers('book/preview', request, async () => {
    const [filter, order] = [filterOf(request.filter), orderOf(request.order_by)];
    if (days === null || days.every((day) => day === hot.bookDay))
      return viewOf(hot.book, filter, order, request.paginate);
    const { total, rows } = await selectBookView(sql, { days, filter, order, ...pageBounds(request.paginate) });
    return { total, results: rows };
  });
}

/** What a parameter of the query says goes before the same field of the body. */
export const askedBookView = (
  body: BookPreviewRequest,
  { filter, order_by, pagination }: BookPreviewQuery,
): BookPreviewRequest => ({
  filter: filter ?? body.filter,
  order_by: order_by ?? body.order_by,
  paginate: pagination ?? body.paginate,
});
