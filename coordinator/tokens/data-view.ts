import { pageOf } from '../platform/page.ts';
import type { Page } from '../contract/list-body.ts';

/** What a row must have: one of the values in each column. */
export type ViewFilter = { column: string; values: string[]; /** a part of the text is enough */ isPart: boolean }[];
export type ViewOrder = [column: string, direction: 'asc' | 'desc'][];

export interface Results<R> {
  total: number;
  results: R[];
}

const partColumns = new Set(['developer', 'model_name', 'source_id']);
/** Read by `daysOf`. */
const dateColumns = new Set(['date', 'start_date', 'end_date']);

/** `filter` by column, without its dates. */
export function filterOf(asked: readonly object[]): ViewFilter {
  const entries = asked
    .flatMap((entry) => Object.entries(entry) as [string, string | undefined][])
    .filter(([column, value]) => value !== undefined && !dateColumns.has(column));
  return [...Map.groupBy(entries, ([column]) => column)].map(([column, given]) => {
    const isPart = partColumns.has(column);
    return { column, isPart, values: given.map(([, value = '']) => (isPart ? value.toLowerCase() : value)) };
  });
}

/** `order_by` as pairs. */
export const orderOf = (asked: readonly object[]): ViewOrder =>
  asked.flatMap((entry) => Object.entries(entry) as ViewOrder);

/** One page of rows in memory, which are in the usual order. Nulls come last in either direction. */
export function viewOf<R extends object>(
  rows: readonly R[],
  filter: ViewFilter,
  order: ViewOrder,
  page: Page,
): Results<R> {
  const found = rows.filter((row) => filter.every((part) => passesFilter(Object(row), part)));
  const sorted = order.length === 0 ? found : found.toSorted((a, b) => compare(Object(a), Object(b), order));
  return { total: sorted.length, results: pageOf(sorted, page) };
}

type Row = Record<string, string | number | null | undefined>;

function passesFilter(row: Row, { column, values, isPart }: ViewFilter[number]): boolean {
  const text = String(row[column] ?? '');
  const low = isPart ? text.toLowerCase() : text;
  return isPart ? values.some((value) => low.includes(value)) : values.includes(text);
}

function compare(a: Row, b: Row, order: ViewOrder): number {
  for (const [column, direction] of order) {
    const [left, right] = [a[column] ?? null, b[column] ?? null];
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right === (direction === 'asc') ? -1 : 1;
  }
  return 0;
}
