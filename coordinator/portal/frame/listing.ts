import { csvRecord } from '../../platform/csv.ts';
import type { Content } from './html.ts';

export type Scalar = string | number | boolean | null;

/** One column of a table, the same on the page, in the CSV and in the JSON. */
export interface Column<Row> {
  /** in CSV and JSON, snake_case, the unit last */
  name: string;
  /** in the table's head, with the unit */
  label: string;
  value: (row: Row) => Scalar;
  /** on the page, if it is more than the value */
  cell?: (row: Row) => Content;
  /** numbers stand right */
  isNumber?: boolean;
  /** the value of `sort_by` that sorts by this column */
  sort?: string;
  /** in files alone */
  isHidden?: boolean;
}

/** Where a list may stop to count. */
export const MOST_COUNTED = 10_000;

/** What a list's query found. */
export interface Listing<Row> {
  rows: readonly Row[];
  /** of all pages; null: not counted */
  total: number | null;
  /** there are more than `total`, where counting stopped */
  isMore?: boolean;
  /** from 1 */
  page: number;
  perPage: number;
  /** `sort_by` and `sort_order` as they are in force */
  sortBy?: string;
  sortOrder?: 'asc' | 'desc';
}

export interface Table<Row> {
  columns: readonly Column<Row>[];
  csv: (listing: Listing<Row>, name: string) => Response;
  json: (listing: Listing<Row>) => Response;
}

export function tableOf<Row>(columns: readonly Column<Row>[]): Table<Row> {
  return {
    columns,
    csv: ({ rows }, name) =>
      new Response(
        [columns.map((column) => column.name), ...rows.map((row) => columns.map((column) => column.value(row)))]
          .map((values) => `${csvRecord(values)}\r\n`)
          .join(''),
        {
          headers: {
            'Content-Type': 'text/csv; charset=utf-8',
            'Content-Disposition': `attachment; filename="${name}.csv"`,
          },
        },
      ),
    json: ({ rows, total, isMore = false, page, perPage }) =>
      Response.json({
        total,
        total_means: total === null ? 'not counted' : isMore ? 'more than' : 'exact',
        page,
        per_page: perPage,
        results: rows.map((row) => Object.fromEntries(columns.map((column) => [column.name, column.value(row)]))),
      }),
  };
}

/** Rows that are all there is: one page. */
export const wholeListing = <Row>(rows: readonly Row[]): Listing<Row> => ({
  rows,
  total: rows.length,
  page: 1,
  perPage: Math.max(rows.length, 1),
});
