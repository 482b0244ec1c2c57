import { median, orNull } from '../../figures/statistics.ts';
import { matrix, MOST_SHOWN, type MatrixCell, type Range } from '../components/matrix.ts';
import { digits } from '../components/numbers.ts';
import { html, named, type Content } from '../frame/html.ts';
import type { JobView } from './job-view.ts';

interface Direction extends MatrixCell {
  windowMs: number | null;
}

/** Each rate is from one window of one attempt: `n 1 window of 600 ms`, or `of 590 to 610 ms` if windows differ. */
function windowWords(directions: readonly Direction[]): string {
  const lengths = directions.flatMap(({ value, windowMs }) => (value === null ? [] : (windowMs ?? [])));
  const least = digits(lengths.reduce((a, b) => Math.min(a, b), Infinity));
  const most = digits(lengths.reduce((a, b) => Math.max(a, b), 0));
  return `n 1 window${lengths.length === 0 ? '' : ` of ${least === most ? '' : `${least} to `}${most} ms`}`;
}

/**
 * The links between nodes: names the slowest direction, and shows all of them in a table whose cells become blocks if
 * there are many nodes.
 */
export function links(view: JobView): Content {
  const { job, links: measured, seats, viewer } = view;
  if (!job.benchmarks.includes('cluster_network')) return null;
  if (measured.length === 0)
    return html`<h2>Links between nodes</h2>
      <p class="muted">${job.node_count === 1 ? 'One node has no links.' : 'No link has been measured yet.'}</p>`;
  const cells = measured.flatMap((link): Direction[] => [
    {
      from: link.source,
      to: link.target,
      value: link.forward_gbps,
      expected: link.expected_forward_gbps,
      windowMs: link.forward_window_ms,
    },
    {
      from: link.target,
      to: link.source,
      value: link.reverse_gbps,
      expected: link.expected_reverse_gbps,
      windowMs: link.reverse_window_ms,
    },
  ]);
  const failed = cells.find(({ value }) => value === null);
  const values = cells.flatMap(({ value }) => value ?? []).toSorted((a, b) => a - b);
  const middle = orNull(median(values)) ?? 0;
  const shareOf = ({ value, expected }: Direction): number => (value ?? 0) / (expected ?? middle);
  const worst = failed ?? cells.toSorted((a, b) => shareOf(a) - shareOf(b))[0];
  const isJudged = cells.some(({ expected }) => expected !== null);
  const known = new Map(seats.map(({ node, name }) => [node, name]));
  const count = Math.max(...cells.map(({ from }) => from)) + 1;
  const nameOf = (node: number): string =>
    viewer.isShared ? `node ${node}` : named(known.get(node) ?? `node ${node}`);
  const base = `${viewer.base}/jobs/${job.id}`;
  const [rows, cols] = [within(viewer.rows, count), within(viewer.cols, count)];
  return html`<h2 id="links">Links between nodes</h2>
    ${worst ? html`<p>Worst: <strong>${nameOf(worst.from)} → ${nameOf(worst.to)}, ${worst.value === null ? 'failed' : `${worst.value.toPrecision(3)} Gb/s`}</strong>${worst.value === null ? null : `, ${windowWords([worst])}, ${shareOf(worst).toFixed(2)} of ${typeof worst.expected === 'number' ? `the expected ${worst.expected.toPrecision(3)} Gb/s` : "this job's median direction"}`}. Median of ${values.length} ${values.length === 1 ? 'direction' : 'directions'}: ${middle.toPrecision(3)} Gb/s.</p>` : null}
    ${rows || cols ? html`<p class="small">Rows ${words(rows, count)}, columns ${words(cols, count)}. <a href="${base}#links">All nodes</a></p>` : null}
    ${matrix({
      names: Array.from({ length: count }, (_, node) => nameOf(node)),
      cells,
      unit: 'Gb/s',
      of: 'node',
      caption: 'Bandwidth between nodes',
      beside: isJudged ? 'the expected rate' : 'the median',
      support: values.length === 0 ? undefined : `${windowWords(cells)} each, retests left out`,
      rows,
      cols,
      // Relative to the page: 256 cells with its full address would add 6 KB.
      hrefOf: (from, to) => `?rows=${from.first}-${from.last}&cols=${to.first}-${to.last}#links`,
    })}
    <p class="small">
      <a href="${base}/links">All links</a>, as <a href="${base}/links.csv">CSV</a> or
      <a href="${base}/links.json">JSON</a>.${count > MOST_SHOWN ? ` Numbers of nodes are those of the list.` : ''}
    </p>`;
}

const words = (range: Range | null, count: number): string =>
  range === null ? `0 to ${count - 1}` : `${range.first} to ${range.last}`;

/** The requested range, limited to the nodes there are. */
const within = (range: Range | null | undefined, count: number): Range | null =>
  range && range.first < count ? { first: range.first, last: Math.min(range.last, count - 1) } : null;

/** `32-63` from a query; anything else means all. */
export function rangeOf(text: string | null): Range | null {
  const [, first, last] = /^(\d{1,3})-(\d{1,3})$/.exec(text ?? '') ?? [];
  if (first === undefined || last === undefined || Number(first) > Number(last)) return null;
  return { first: Number(first), last: Number(last) };
}
