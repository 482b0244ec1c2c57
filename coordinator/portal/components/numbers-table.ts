import { html, raw, type Content, type Html } from '../frame/html.ts';

/** The numbers of a chart as a table: the first column names the row, all others are numbers unless their head begins with a blank. */
export const numbersTable = (caption: string, heads: readonly string[], rows: readonly (readonly Content[])[]): Html =>
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
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell, at) => (at === 0 ? html`<th scope="row">${cell}</th>` : html`<td ${right(heads, at)}>${cell}</td>`))}
          </tr>`,
      )}
    </tbody>
  </table>`;

const right = (heads: readonly string[], at: number): Content =>
  at === 0 || (heads[at] ?? '').startsWith(' ') ? null : raw(' class="r"');
