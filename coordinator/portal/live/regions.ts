import { digits, jobStateStatus, taskStateStatus } from '../components/job-state.ts';
import { matrix, medianOf, type MatrixCell } from '../components/matrix.ts';
import { note } from '../components/note.ts';
import { exactTime } from '../components/time.ts';
import { timeline, type Step } from '../components/timeline.ts';
import { html, named, type Content, type Html } from '../frame/html.ts';
import { figuresOf } from './figures.ts';
import { isOver, nodeLabel, type JobView } from './job-view.ts';
import { countWarnings, shortWarnings } from './warnings.ts';

/** Parts of the page that change while the job runs, by the id of the element that each replaces. */
export const regions: Readonly<Record<string, (view: JobView) => Content>> = {
  'r-state': stateLine,
  'r-actions': actions,
  'r-progress': progress,
  'r-warnings': (view) =>
    html`<h2>${headOfWarnings(countWarnings(view))}</h2>
      ${shortWarnings(view)}`,
  'r-figures': (view) =>
    html`<h2>Figures${isOver(view.job) ? '' : ' so far'}</h2>
      ${figuresOf(view)}`,
  'r-nodes': nodes,
  'r-links': links,
  'r-report': report,
};

/** The region as it stands in the page and goes down the stream. */
export const region = (id: string, view: JobView): Html => html`<div id="${id}">${regions[id]?.(view)}</div>`;

const headOfWarnings = (count: number): string =>
  count === 0 ? 'Warnings' : `${count} ${count === 1 ? 'warning' : 'warnings'}, worst first`;

function stateLine({ job }: JobView): Html {
  return html`<p>
    ${jobStateStatus(job.state)}
    <span class="muted"
      >${job.current_nodes} of ${job.node_count} ${job.node_count === 1 ? 'node' : 'nodes'} · ${job.id} · created
      ${exactTime(job.created_at)}</span
    >
  </p>`;
}

function actions({ job, viewer }: JobView): Content {
  if (viewer.isShared) return null;
  const here = `/jobs/${job.id}`;
  return html`<div class="acts">
    ${job.state === 'created' || job.state === 'starting' ? html`<a class="btn main" href="${here}/start">Start line</a>` : null}<a
      class="btn"
      href="${here}/share"
      >Share</a
    >
    <a class="btn" href="/compare?items=job:${job.id}">Compare</a>
    <a class="btn" href="${here}.json">JSON</a
    >${isOver(job) ? null : html` <a class="btn risk" href="${here}/abort">Abort</a>`}${job.state === 'starting' || job.state === 'running' ? null : html` <a class="btn risk" href="${here}/delete">Delete</a>`}
  </div>`;
}

function progress({ job, nodes: all, links: measured }: JobView): Html {
  const over = isOver(job);
  const done = all.filter(({ state }) => state === 'completed').length;
  const running = job.state === 'running';
  const hasLinks = job.benchmarks.includes('cluster_network');
  const steps: Step[] = [
    { tone: 'ok', label: 'Created', detail: exactTime(job.created_at) },
    all.length > 0
      ? {
          tone: all.length === job.node_count || over ? 'ok' : 'run',
          label: 'Nodes',
          detail: `${all.length} of ${job.node_count} came`,
          isCurrent: job.state === 'starting',
        }
      : {
          tone: over ? 'none' : 'run',
          label: 'Nodes',
          detail: over ? 'none came' : `waiting for node 1 of ${job.node_count}`,
          isCurrent: !over,
        },
    {
      tone: done === all.length && done > 0 ? 'ok' : running ? 'run' : 'none',
      label: 'QuickMark',
      detail: all.length === 0 ? 'when nodes have come' : `${done} of ${all.length} nodes delivered`,
      isCurrent: running,
    },
    ...(hasLinks
      ? [
          {
            tone: measured.length > 0 ? ('ok' as const) : ('none' as const),
            label: 'Cluster network',
            detail: measured.length > 0 ? `${measured.length} attempts at links` : 'when all nodes are there',
          },
        ]
      : []),
    {
      tone: job.report_key ? 'ok' : 'none',
      label: 'Report',
      detail: job.report_key ? 'ready below' : over && done === 0 ? 'none: no node delivered' : 'when all nodes are in',
    },
  ];
  return html`<h2 class="vh">Progress</h2>
    ${timeline(steps)}${job.is_simulated ? note('sim', 'SIMULATED: not a measurement.', 'Cards of this job are simulated. Its figures are never ranked, compared with real cards or counted in a median.') : null}`;
}

/** Nodes as cards; of more than that a table is easier to read. */
const MOST_CARDS = 24;
/** A page of the table. */
const MOST_ROWS = 50;

function nodes({ job, nodes: all, viewer }: JobView): Html {
  if (all.length === 0)
    return html`<h2>Nodes</h2>
      <p class="muted">
        None
        yet.${viewer.isShared || isOver(job) ? null : html` <a href="/jobs/${job.id}/start">The line that starts an agent</a>.`}
      </p>`;
  const shown = (value: number | null) => (value === null ? '–' : digits(value));
  const devices = (node: JobView['nodes'][number]) =>
    node.gpu_model === null ? 'inventory not in yet' : html`${node.gpu_count} × ${named(node.gpu_model)}`;
  const name = (node: JobView['nodes'][number]) =>
    viewer.isShared
      ? html`${nodeLabel(node, viewer)}`
      : html`<a href="/tasks/${node.id}">${named(nodeLabel(node, viewer))}</a>`;
  if (all.length <= MOST_CARDS)
    return html`<h2>Nodes</h2>
      <ul class="nodes">
        ${all.map(
          (node) =>
            html`<li class="node">
              <h3>${name(node)} ${taskStateStatus(node.state)}</h3>
              <p class="small muted">
                ${devices(node)}${node.phase === null || isOver(job) ? null : ` · ${node.phase}`}
              </p>
              <dl class="facts">
                <dt>bf16</dt>
                <dd>${shown(node.bf16_tflops)} TFLOP/s, sum of its GPUs</dd>
                <dt>Memory</dt>
                <dd>${shown(node.memory_bandwidth_gbs)} GB/s, sum of its GPUs</dd>
              </dl>
            </li>`,
        )}
      </ul>`;
  return html`<h2>Nodes</h2>
    <div class="scroll" role="region" aria-label="Nodes, scrolls sideways" tabindex="0">
      <table>
        <caption>
          The first ${Math.min(MOST_ROWS, all.length)} of ${all.length} nodes
        </caption>
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">State</th>
            <th scope="col">GPUs</th>
            <th scope="col" class="r">bf16, TFLOP/s</th>
            <th scope="col" class="r">Memory, GB/s</th>
          </tr>
        </thead>
        <tbody>
          ${all.slice(0, MOST_ROWS).map(
            (node) =>
              html`<tr>
                <th scope="row">${name(node)}</th>
                <td>${taskStateStatus(node.state)}</td>
                <td>${devices(node)}</td>
                <td class="r">${shown(node.bf16_tflops)}</td>
                <td class="r">${shown(node.memory_bandwidth_gbs)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function links({ job, nodes: all, links: measured, viewer }: JobView): Content {
  if (!job.benchmarks.includes('cluster_network')) return null;
  if (measured.length === 0)
    return html`<h2>Links between nodes</h2>
      <p class="muted">No link has been measured yet.</p>`;
  const cells = cellsOf(measured);
  const sorted = cells.toSorted((a, b) => (a.gbps ?? 0) - (b.gbps ?? 0));
  const median = medianOf(cells.flatMap(({ gbps }) => gbps ?? []).toSorted((a, b) => a - b));
  const worst = sorted[0];
  const byUuid = new Map(all.map((node) => [node.machine_uuid, node]));
  const names = [
    ...new Map(
      measured.flatMap(
        (link) =>
          [
            [link.source_node, link.source],
            [link.target_node, link.target],
          ] as const,
      ),
    ),
  ]
    .toSorted(([a], [b]) => a - b)
    .map(([node, uuid]) => (viewer.isShared ? `node ${node}` : named(byUuid.get(uuid)?.hostname ?? `node ${node}`)));
  const base = `${viewer.base}/jobs/${job.id}/links`;
  return html`<h2>Links between nodes</h2>
    ${worst ? html`<p>Worst: <strong>node ${worst.from} → node ${worst.to}, ${worst.gbps === null ? 'failed' : `${worst.gbps.toPrecision(3)} Gb/s`}</strong>${worst.gbps === null ? null : `, ${(worst.gbps / median).toFixed(2)} of this job's median direction (${median.toPrecision(3)} Gb/s, n ${cells.length})`}.</p>` : null}${matrix(names, cells)}
    <p class="small">
      <a href="${base}">All links</a>, as <a href="${base}.csv">CSV</a> or <a href="${base}.json">JSON</a>.
    </p>`;
}

/** Both directions of the newest attempt at each link. */
function cellsOf(measured: JobView['links']): MatrixCell[] {
  const newest = new Map(measured.toSorted((a, b) => a.attempt - b.attempt).map((link) => [link.link_id, link]));
  return [...newest.values()].flatMap((link) => [
    { from: link.source_node, to: link.target_node, gbps: link.forward_gbps },
    { from: link.target_node, to: link.source_node, gbps: link.reverse_gbps },
  ]);
}

function report({ job, viewer }: JobView): Html {
  if (job.report_key && !viewer.isShared)
    return html`<h2>Report</h2>
      <p><a class="btn" href="/jobs/${job.id}/report.pdf">Report as PDF</a></p>`;
  if (viewer.isShared)
    return html`<h2>Report</h2>
      <p class="muted">The report names machines, so it does not come with a shared link.</p>`;
  return html`<h2>Report</h2>
    <p class="muted">
      ${isOver(job) ? 'The PDF is being made, if a node delivered; it appears here without a reload.' : 'The PDF is made when the last node is in. It appears here without a reload.'}
    </p>`;
}
