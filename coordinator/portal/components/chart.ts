import { html, raw, type Content, type Html } from '../frame/html.ts';

interface Options {
  /** the finding that the chart shows */
  title: string;
  /** the same chart rendered by `coordinator/charts` for wide and narrow pages; SVG that we generate */
  svg: { wide: string; narrow: string };
  /** the same numbers as a table */
  table: Content;
  /** method, source, missing data */
  caption?: Content;
}

/** A chart with its finding as the title and the same numbers in a table below. */
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
