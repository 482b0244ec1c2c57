import { html, raw, type Content, type Html } from '../frame/html.ts';

interface Options {
  /** what the chart shows, as a finding */
  title: string;
  /** the same chart rendered by `coordinator/charts` for a wide and a narrow page; SVG of our own making */
  svg: { wide: string; narrow: string };
  /** the numbers, as a table */
  table: Content;
  /** method, source, what is missing */
  caption?: Content;
}

/** A chart with its finding as its title and the same numbers as a table beneath. */
export const chart = ({ title, svg, table, caption }: Options): Html =>
  html`<figure class="chart">
    <h2>${title}</h2>
    <div class="wide" role="img" aria-label="${title}">${raw(svg.wide)}</div>
    <div class="narrow" role="img" aria-label="${title}">${raw(svg.narrow)}</div>
    ${caption ? html`<figcaption>${caption}</figcaption>` : null}
    <details>
      <summary>The numbers as a table</summary>
      ${table}
    </details>
  </figure>`;
