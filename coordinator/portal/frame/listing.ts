import { csvRecord, EXCEL_MARK, excelRecord } from '../../platform/csv.ts';
import { jsonStream, textStream } from '../../platform/http/raw-json.ts';
import type { Content } from './html.ts';

export type Scalar = string | number | boolean | null;

/** One column of a table, the same on the page, in the CSV and in the JSON. */
export interface Column<Row> {
  /** in CSV and JSON: snake_case, ending with the unit */
  name: string;
  /** in the table's heading, with the unit */
  label: string;
  value: (row: Row) => Scalar;
  /** content on the page, if it is more than the value */
  cell?: (row: Row) => Content;
  /** numbers are right-aligned */
  isNumber?: boolean;
  /** the value of `sort_by` that sorts by this column */
  sort?: string;
  /** only in files */
  isHidden?: boolean;
}

/** Lists can stop counting at this many rows. */
export const MOST_COUNTED = 10_000;

/** Result of a list's query. */
export interface Listing<Row> {
  rows: readonly Row[];
  /** rows of all pages; null: not counted */
  total: number | null;
  /** there are more than `total`; counting stopped there */
  isMore?: boolean;
  /** from 1 */
  page: number;
  perPage: number;
  /** `sort_by` and `sort_order` as applied */
  sortBy?: string;
  sortOrder?: 'asc' | 'desc';
}

/** All rows that a list's query finds, in chunks that are produced on demand: for files, which have no pages. */
export interface WholeList<Row> {
  total: number;
  pieces: AsyncIterable<readonly Row[]>;
}

export interface Table<Row> {
  columns: readonly Column<Row>[];
  csv: (found: Listing<Row> | WholeList<Row>, file: { name: string; forExcel: boolean }) => Promise<Response>;
  json: (found: Listing<Row> | WholeList<Row>) => Promise<Response>;
}

export function tableOf<Row>(columns: readonly Column<Row>[]): Table<Row> {
  const member = (row: Row): string => {
    const values: Record<string, Scalar> = {};
    for (const { name, value } of columns) values[name] = value(row);
    return JSON.stringify(values);
  };
  return {
    columns,
    csv: (found, { name, forExcel }) => {
      const line = (values: Scalar[]): string => `${forExcel ? excelRecord(values) : csvRecord(values)}\r\n`;
      const head = `${forExcel ? EXCEL_MARK : ''}${line(columns.map((column) => column.name))}`;
      const record = (row: Row): string => line(columns.map((column) => column.value(row)));
      return textStream(csvPieces(head, found, record), {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}.csv"`,
      });
    },
    json: (found) => jsonStream(jsonPieces(found, member)),
  };
}

const isWhole = <Row>(found: Listing<Row> | WholeList<Row>): found is WholeList<Row> => 'pieces' in found;

async function* piecesOf<Row>(found: Listing<Row> | WholeList<Row>): AsyncGenerator<readonly Row[], void> {
  if (isWhole(found)) yield* found.pieces;
  else yield found.rows;
}

async function* csvPieces<Row>(
  head: string,
  found: Listing<Row> | WholeList<Row>,
  record: (row: Row) => string,
): AsyncGenerator<string, void> {
  yield head;
  for await (const rows of piecesOf(found)) yield rows.map(record).join('');
}

async function* jsonPieces<Row>(
  found: Listing<Row> | WholeList<Row>,
  member: (row: Row) => string,
): AsyncGenerator<string, void> {
  const { total, isMore = false, page, perPage } = isWhole(found) ? onePage(found.total) : found;
  const head = {
    total,
    total_means: total === null ? 'not counted' : isMore ? 'more than' : 'exact',
    page,
    per_page: perPage,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"results":[`;
  let isFirst = true;
  for await (const rows of piecesOf(found)) {
    if (rows.length > 0) yield `${isFirst ? '' : ','}${rows.map(member).join(',')}`;
    isFirst &&= rows.length === 0;
  }
  yield ']}';
}

const onePage = (total: number): Omit<Listing<never>, 'rows'> => ({ total, page: 1, perPage: Math.max(total, 1) });

/** All rows as a single page. */
export const wholeListing = <Row>(rows: readonly Row[]): Listing<Row> => ({ rows, ...onePage(rows.length) });

/** All pages of a query, one after the other; `read` returns one page, counted from 1. */
export async function allPages<Row>(read: (page: number) => Promise<Listing<Row>>): Promise<WholeList<Row>> {
  const first = await read(1);
  const { total } = first;
  if (total === null) throw new Error('a list without a total has no last page');
  return { total, pieces: pagesFrom(first, total, read) };
}

async function* pagesFrom<Row>(
  first: Listing<Row>,
  total: number,
  read: (page: number) => Promise<Listing<Row>>,
): AsyncGenerator<readonly Row[], void> {
  yield first.rows;
  for (let page = 2; (page - 1) * first.perPage < total; page += 1) yield (await read(page)).rows;
}
