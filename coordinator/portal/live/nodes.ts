import type { RunFinding } from '../../contract/judgement.ts';
import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { digits } from '../components/numbers.ts';
import { scrollRegion } from '../components/scroll-region.ts';
import { taskStateStatus } from '../components/status.ts';
import { html, named, type Content, type Html } from '../frame/html.ts';
import { isOfProcessors, unitOfDevices } from './hardware.ts';
import { filesOf, isOver, nodeLabel, type JobView, type NodesView } from './job-view.ts';

type Node = JobView['nodes'][number];

/** Nodes are shown as cards; above this number a table is easier to read. */
const MOST_CARDS = 24;
/** Rows per page of the table: few enough that a page with the matrix of 256 nodes stays within 100 KB. */
const MOST_ROWS = 32;

/** The nodes of a job, in their order or worst first. */
export function nodes(view: JobView): Html {
  const { job, nodes: all, viewer } = view;
  if (all.length === 0)
    return html`<h2>Nodes</h2>
      <p class="muted">
        ${isOver(job) ? 'None joined.' : 'None has joined yet.'}${viewer.isShared || isOver(job) ? null : html` <a href="/jobs/${job.id}/start">Show start command</a>`}
      </p>`;
  const ordered = inOrder(view);
  const head = html`<h2 id="nodes">Nodes</h2>
    ${all.length > 1 ? orderLinks(view) : null}`;
  const files = html`<p class="small">${filesOf(view, 'nodes', viewer.isWorstFirst ? '?order=worst' : '')}</p>`;
  if (all.length <= MOST_CARDS)
    return html`${head}
      <ul class="nodes">
        ${ordered.map((node) => card(view, node))}
      </ul>
      ${files}`;
  const pages = Math.ceil(all.length / MOST_ROWS);
  const page = Math.min(viewer.nodesPage, pages);
  const first = (page - 1) * MOST_ROWS;
  const shown = ordered.slice(first, first + MOST_ROWS);
  return html`${head}${table(view, shown, `${first + 1} to ${first + shown.length} of ${all.length} nodes`)} ${files}
  ${
    pages === 1
      ? null
      : html`<p class="pages">
          Pages:
          ${Array.from({ length: pages }, (_, index) => (index + 1 === page ? html`<b>${index + 1}</b> ` : html`<a href="${hrefOf(view, { nodesPage: index + 1 })}">${index + 1}</a> `))}
        </p>`
  }`;
}

/** The same page with a different selection of nodes. */
function hrefOf({ viewer, job }: JobView, given: { nodesPage?: number; isWorstFirst?: boolean }): string {
  const { nodesPage = 1, isWorstFirst = viewer.isWorstFirst } = given;
  const query = new URLSearchParams({
    ...(isWorstFirst && { order: 'worst' }),
    ...(nodesPage > 1 && { nodes: String(nodesPage) }),
  });
  return `${viewer.base}/jobs/${job.id}${query.size === 0 ? '' : `?${query.toString()}`}#nodes`;
}

const orderLinks = (view: JobView): Html =>
  html`<p class="small">
    ${view.viewer.isWorstFirst ? html`Worst first. <a href="${hrefOf(view, { isWorstFirst: false })}">In their order</a>` : html`In order of arrival. <a href="${hrefOf(view, { isWorstFirst: true })}">Worst first</a>`}
  </p>`;

/** The nodes in the order that the reader chose. */
export const inOrder = (view: NodesView): readonly Node[] =>
  view.viewer.isWorstFirst ? view.nodes.toSorted((a, b) => rank(view, a) - rank(view, b)) : view.nodes;

/** Failed and lost nodes come first, then those with bad findings, with findings to check, then by compute figure. */
function rank(view: NodesView, node: Node): number {
  if (node.state === 'failed' || node.state === 'lost') return -1e15;
  const value = sumOf(view, node, compute(view).metric);
  const found = problemsOf(view, node);
  const bad = found.filter(({ grade }) => grade === 'bad').length;
  return (value ?? 1e5) - 1e9 * bad - 1e6 * (found.length - bad);
}

/** Findings about the node or its devices; one about the whole job is about none. */
export const problemsOf = ({ judgement, job }: NodesView, { node }: Node): RunFinding[] =>
  judgement.findings.filter(({ nodes: of, devices }) =>
    of.length === 0 ? job.node_count === 1 && devices.length > 0 : of.includes(node),
  );

/** A node's figure: the sum over its devices; null unless every device has it. */
export function sumOf({ figures }: Pick<JobView, 'figures'>, { id }: Node, metric: QuickMarkMetric): number | null {
  const devices = figures.get(id)?.devices ?? [];
  const values = devices.flatMap((device) => device.values.get(metric) ?? []);
  return values.length === 0 || values.length < devices.length ? null : values.reduce((sum, value) => sum + value, 0);
}

const compute = (view: NodesView): { label: string; metric: QuickMarkMetric } =>
  isOfProcessors(view) ? { label: 'fp32', metric: 'fp32_tflops' } : { label: 'bf16', metric: 'bf16_tflops' };

/** How many devices a node's figure is the sum of; for a single device, its sample count. */
function behind({ figures }: Pick<JobView, 'figures'>, { id }: Node, metric: QuickMarkMetric): string {
  const [first, ...others] = figures.get(id)?.devices ?? [];
  if (others.length > 0) return `sum of ${others.length + 1}`;
  const n = first?.stats.get(metric)?.n;
  return n === undefined ? 'one value' : `n ${n}`;
}

const nameOf = ({ viewer }: JobView, node: Node): Html =>
  html`<a href="${viewer.base}/tasks/${node.id}">${named(nodeLabel(node, viewer))}</a>`;

const devicesOf = (node: Node): Content =>
  node.gpu_model === null ? 'inventory not in yet' : html`${node.gpu_count} × ${named(node.gpu_model)}`;

function stateOf(view: JobView, node: Node): Content {
  const count = problemsOf(view, node).length;
  return html`${taskStateStatus(node.state)}${count === 0 ? null : ` · ${count} ${count === 1 ? 'problem' : 'problems'}`}`;
}

function card(view: JobView, node: Node): Html {
  const { label, metric } = compute(view);
  const figure = (of: QuickMarkMetric, unit: string): string => {
    const known = sumOf(view, node, of);
    return known === null ? '–' : `${digits(known)} ${unit}, ${behind(view, node, of)}`;
  };
  return html`<li class="node">
    <h3>${nameOf(view, node)} <span>${stateOf(view, node)}</span></h3>
    <p class="small muted">${devicesOf(node)}${node.phase === null || isOver(view.job) ? null : ` · ${node.phase}`}</p>
    <dl class="facts">
      <dt>${label}</dt>
      <dd>${figure(metric, 'TFLOP/s')}</dd>
      <dt>Memory</dt>
      <dd>${figure('memory_bandwidth_gbs', 'GB/s')}</dd>
    </dl>
  </li>`;
}

function table(view: JobView, shown: readonly Node[], caption: string): Html {
  const { label, metric } = compute(view);
  const written = (value: number | null) => (value === null ? '–' : digits(value));
  return scrollRegion(
    'Nodes',
    html`<table>
      <caption>
        ${caption}; figures are sums over the ${unitOfDevices(view, 2)} of a node
      </caption>
      <thead>
        <tr>
          <th scope="col">Node</th>
          <th scope="col">State</th>
          <th scope="col">${isOfProcessors(view) ? 'Processors' : 'GPUs'}</th>
          <th scope="col" class="r">${label}, TFLOP/s</th>
          <th scope="col" class="r">Memory, GB/s</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map(
          (node) =>
            html`<tr>
              <th scope="row">${nameOf(view, node)}</th>
              <td>${stateOf(view, node)}</td>
              <td>${devicesOf(node)}</td>
              <td class="r">${written(sumOf(view, node, metric))}</td>
              <td class="r">${written(sumOf(view, node, 'memory_bandwidth_gbs'))}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  );
}
