import { html, raw, type Content, type Html } from '../frame/html.ts';
import type { Column, Listing, Table } from '../frame/listing.ts';
import type { Visit } from '../frame/visit.ts';
import { whole } from './numbers.ts';
import { scrollRegion } from './scroll-region.ts';

interface Options<Row> {
  caption: string;
  table: Table<Row>;
  listing: Listing<Row>;
  /** shown instead of the table if there are no rows */
  ifEmpty: Content;
  /** `stack` turns each row into a card on a narrow screen, for tables read by name; tables of numbers scroll. */
  shape?: 'stack' | 'scroll';
  /** path and query of the CSV and JSON files if they differ from the page's own; null: an example without files */
  files?: string | null;
  /** The files contain the rows of all pages. */
  filesHaveAll?: boolean;
  /** maximum rows shown of a listing that has no further pages; its files have all rows */
  most?: number;
}

/** A table with sort links, pagination, and the same rows as CSV and JSON. */
export function dataTable<Row>(visit: Visit, options: Options<Row>): Html {
  const { caption, table, listing, ifEmpty, shape = 'stack', files, filesHaveAll = false, most = Infinity } = options;
  const rows = listing.rows.slice(0, most);
  const words = filesHaveAll || rows.length < listing.rows.length ? 'All rows' : 'The same rows';
  const after = files === null ? null : under(visit, listing, { files, words, shown: rows.length });
  if (listing.rows.length === 0) return html`${ifEmpty}${after}`;
  const columns = table.columns.filter(({ isHidden }) => isHidden !== true);
  // Browsers no longer treat rows styled as cards as a table, so each part states its role.
  const role: Role = (name) => (shape === 'stack' ? raw(` role="${name}"`) : null);
  const shownTable = html`<table${shape === 'stack' ? html` class="stack" role="table"` : null}><caption>${caption}</caption>
<thead${role('rowgroup')}><tr${role('row')}>${columns.map((column) => headCell(visit, column, listing, role))}</tr></thead>
<tbody${role('rowgroup')}>${rows.map((row) => html`<tr${role('row')}>${columns.map((column, index) => bodyCell(column, row, index === 0, role))}</tr>`)}</tbody></table>`;
  return html`${scrollRegion(caption, shownTable)}${after}`;
}

type Role = (name: 'rowgroup' | 'row' | 'columnheader' | 'rowheader' | 'cell') => Content;

function headCell<Row>(visit: Visit, column: Column<Row>, listing: Listing<Row>, role: Role): Html {
  const isSorted = column.sort !== undefined && column.sort === listing.sortBy;
  const order = listing.sortOrder === 'asc' ? 'ascending' : 'descending';
  const next = isSorted && listing.sortOrder === 'desc' ? 'asc' : 'desc';
  const label =
    column.sort === undefined
      ? html`<span>${column.label}</span>`
      : html`<a href="${hrefWith(visit, { sort_by: column.sort, sort_order: next, page: null })}"
          >${column.label}${isSorted ? html` <span aria-hidden="true">${listing.sortOrder === 'asc' ? '▲' : '▼'}</span>` : null}</a
        >`;
  return html`<th
    scope="col"
    ${role('columnheader')}${column.isNumber ? raw(' class="r"') : null}${isSorted ? html` aria-sort="${order}"` : null}
  >
    ${label}
  </th>`;
}

function bodyCell<Row>(column: Column<Row>, row: Row, isFirst: boolean, role: Role): Html {
  const content = column.cell ? column.cell(row) : shown(column.value(row));
  if (isFirst) return html`<th scope="row" ${role('rowheader')}>${content}</th>`;
  const right = column.isNumber ? raw(' class="r"') : null;
  const asCell = role('cell');
  return asCell === null
    ? html`<td${right}>${content}</td>`
    : html`<td${asCell} data-l="${column.label}"${right}><span>${content}</span></td>`;
}

const shown = (value: string | number | boolean | null): Content =>
  value === null
    ? '–'
    : typeof value === 'boolean'
      ? value
        ? 'yes'
        : 'no'
      : typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
        ? html`<time datetime="${value}">${value}</time>`
        : value;

/** The row range and total, links to the previous and next page, and the files. */
function under<Row>(
  visit: Visit,
  listing: Listing<Row>,
  { files, words, shown: count }: { files: string | undefined; words: string; shown: number },
): Html {
  const { rows, total, isMore, page, perPage } = listing;
  const first = (page - 1) * perPage + 1;
  const last = first + count - 1;
  const isCut = count < rows.length;
  const all = total === null ? '' : ` of ${countOf(listing)}`;
  const more = !isCut && (total === null || isMore === true ? rows.length === perPage : last < total);
  return html`<div class="under">
    <p class="pages">
      ${rows.length === 0 ? 'No rows' : `${first} to ${last}${all}`}
      ${page > 1 ? html`<a href="${hrefWith(visit, { page: String(page - 1) })}" rel="prev">Previous</a>` : null}
      ${more && rows.length > 0 ? html`<a href="${hrefWith(visit, { page: String(page + 1) })}" rel="next">Next</a>` : null}
    </p>
    <p class="pages">
      ${words} as <a href="${fileHref(visit, files, 'csv')}">CSV</a>
      <a href="${fileHref(visit, files, 'csv', { for: 'excel' })}">CSV for Excel</a>
      <a href="${fileHref(visit, files, 'json')}">JSON</a>
    </p>
  </div>`;
}

/** The total, or "more than" if counting stopped there; the JSON of the same rows states this in `total_means`. */
export const countOf = ({ total, isMore }: Pick<Listing<unknown>, 'total' | 'isMore'>): string =>
  `${isMore === true ? 'more than ' : ''}${whole(total ?? 0)}`;

/** This page with part of its query changed; null removes a parameter. */
export function hrefWith(
  { base, path, query }: Pick<Visit, 'base' | 'path' | 'query'>,
  changes: Record<string, string | null>,
): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? `${base}${path}` : `${base}${path}?${text}`;
}

const fileHref = (
  visit: Visit,
  files: string | undefined,
  ending: 'csv' | 'json',
  more: Record<string, string> = {},
): string => {
  const [path = '', query = ''] = files?.split('?') ?? [visit.path, visit.query.toString()];
  return hrefWith({ base: visit.base, path: `${path}.${ending}`, query: new URLSearchParams(query) }, more);
};
