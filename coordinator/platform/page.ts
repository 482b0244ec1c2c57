import type { Page } from '../contract/list-body.ts';

/** The range of rows on a page. */
export const pageBounds = ({ num_per_page, page_num }: Page): { limit: number; offset: number } => ({
  limit: num_per_page,
  offset: (page_num - 1) * num_per_page,
});

/** The rows of one page out of all rows. */
export function pageOf<T>(rows: readonly T[], page: Page): T[] {
  const { limit, offset } = pageBounds(page);
  return rows.slice(offset, offset + limit);
}
