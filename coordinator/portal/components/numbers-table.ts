import { html, raw, type Content, type Html } from '../frame/html.ts';
import { scrollRegion } from './scroll-region.ts';

/** Rows shown of a larger table if its files can be linked. */
const MOST_ROWS = 100;

/**
 * The numbers of a chart as a table: the first column names the row; all others are numeric unless their heading begins
 * with a space. `files`: path and query of the same numbers as files, for charts with more rows than fit on a page.
 */
export const numbersTable = (
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Content[])[],
  files?: string,
): Html =>
  html`${rows.length > MOST_ROWS && files !== undefined ? allRows(files, rows.length) : null}
  ${scrollRegion(
    caption,
    html`<table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head, at) => html`<th scope="col" ${right(heads, at)}>${head.trim()}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.slice(0, files === undefined ? rows.length : MOST_ROWS).map(
          (row) =>
            html`<tr>
              ${row.map((cell, at) => (at === 0 ? html`<th scope="row">${cell}</th>` : html`<td ${right(heads, at)}>${cell}</td>`))}
            </tr>`,
        )}
      </tbody>
    </table>`,
  )}`;

const allRows = (files: string, count: number): Html => {
  const [path = '', query = ''] = files.split('?');
  return html`<p class="small">
    The first ${MOST_ROWS} of ${count} rows; all of them as <a href="${path}.csv?${query}">CSV</a>
    <a href="${path}.json?${query}">JSON</a>.
  </p>`;
};

const right = (heads: readonly string[], at: number): Content =>
  at === 0 || (heads[at] ?? '').startsWith(' ') ? null : raw(' class="r"');
