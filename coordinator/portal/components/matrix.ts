import { html, type Html } from '../frame/html.ts';

export interface MatrixCell {
  from: number;
  to: number;
  /** null: the link failed */
  gbps: number | null;
}

/** Ratio to the median of all directions -> class: slow is orange, fast is blue, and the number always stands there. */
export const heatOf = (ratio: number): 1 | 2 | 3 | 4 | 5 =>
  ratio < 0.8 ? 1 : ratio < 0.9 ? 2 : ratio < 0.95 ? 3 : ratio <= 1.05 ? 4 : 5;

/** Nodes whose numbers fit into a table. */
const MOST_NODES = 16;

/** Bandwidth from row to column, as a table to 16 nodes with the worst marked; beyond, the list of links says it. */
export function matrix(names: readonly string[], cells: readonly MatrixCell[]): Html | null {
  const measured = cells.flatMap(({ gbps }) => gbps ?? []).toSorted((a, b) => a - b);
  if (measured.length === 0 || names.length > MOST_NODES) return null;
  const median = medianOf(measured);
  const worst = measured[0];
  const at = new Map(cells.map((cell) => [`${cell.from} ${cell.to}`, cell.gbps]));
  const cell = (from: number, to: number): Html => {
    if (from === to)
      return html`<td class="h0"><span aria-hidden="true">·</span><span class="vh">the node itself</span></td>`;
    const gbps = at.get(`${from} ${to}`);
    if (gbps === undefined)
      return html`<td class="h0"><span aria-hidden="true">·</span><span class="vh">not tested</span></td>`;
    if (gbps === null) return html`<td class="h0"><span aria-hidden="true">✗</span><span class="vh">failed</span></td>`;
    const ratio = gbps / median;
    const isWorst = gbps === worst && measured.length > 1;
    return html`<td class="h${heatOf(ratio)}${isWorst ? ' worst' : ''}">
      ${isWorst ? '▼ ' : null}${gbps.toPrecision(3)}<span class="vh"
        >, ${ratio.toFixed(2)} of the median${isWorst ? ', the worst' : ''}</span
      >
    </td>`;
  };
  return html`<div class="scroll" role="region" aria-label="Bandwidth matrix, scrolls sideways" tabindex="0">
      <table class="matrix">
        <caption>
          Bandwidth in Gb/s, from row to column
        </caption>
        <thead>
          <tr>
            <th scope="col">from \\ to</th>
            ${names.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${names.map(
            (name, from) =>
              html`<tr>
                <th scope="row">${name}</th>
                ${names.map((_, to) => cell(from, to))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <ul class="legend">
      <li><i class="h1"></i>below 0.80 of the median</li>
      <li><i class="h2"></i>0.80 to 0.90</li>
      <li><i class="h3"></i>0.90 to 0.95</li>
      <li><i class="h4"></i>0.95 to 1.05</li>
      <li><i class="h5"></i>above 1.05</li>
      <li>▼ worst, ✗ failed, · not tested</li>
    </ul>`;
}

export function medianOf(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
