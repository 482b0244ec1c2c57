import type { Grade } from '../../contract/judgement.ts';
import { verdictLine } from '../../figures/findings/finding-words.ts';
import { status, type Tone } from '../components/status.ts';
import { elapsed, exactTime } from '../components/time.ts';
import { html, named, type Content, type Html } from '../frame/html.ts';
import { figuresOf } from './figures.ts';
import { gpuCopies } from './gpu-copies.ts';
import { gpuGrid } from './gpu-grid.ts';
import { isOfProcessors } from './hardware.ts';
import { isOver, type JobView } from './job-view.ts';
import { links } from './links.ts';
import { nodes } from './nodes.ts';
import { notMeasured, problems } from './problems.ts';
import { pastSteps, progress, withoutReport } from './progress.ts';
import { together } from './together.ts';

/** Parts of the page that change while the job runs, by the id of the element they replace. */
export const regions: Readonly<Record<string, (view: JobView) => Content>> = {
  'r-state': stateLine,
  'r-actions': actions,
  'r-progress': progress,
  'r-problems': problems,
  'r-figures': first,
  'r-unmeasured': notMeasured,
  'r-nodes': nodes,
  'r-copies': gpuCopies,
  'r-links': links,
  'r-together': together,
  'r-past': pastSteps,
};

/** Cards beside the grid; one region, so that nothing that stays is moved by what comes above it. */
function first(view: JobView): Html {
  const grid = gpuGrid(view);
  return html`<div class="first">
    <div class="figures">${figuresOf(view)}</div>
    ${grid === null ? null : html`<div class="gpus">${grid}</div>`}
  </div>`;
}

/** The region as it is rendered in the page and sent in the stream. */
export const region = (id: string, view: JobView): Html => html`<div id="${id}">${regions[id]?.(view)}</div>`;

export const gradeTones: Record<Grade, Tone> = { good: 'ok', check: 'warn', bad: 'bad', not_measured: 'none' };

/** The verdict as the first thing to read, then one line of facts. */
function stateLine(view: JobView): Html {
  const { job } = view;
  const { tone, words } = verdictOf(view);
  const facts = [
    hardwareOf(view),
    ...(job.started_at === null || job.ended_at === null ? [] : [elapsed(job.started_at, job.ended_at)]),
    ...tiersOf(view),
    ...(job.state === 'created' ? [] : [job.state.replaceAll('_', ' ')]),
    job.ended_at === null ? html`created ${exactTime(job.created_at)}` : html`ended ${exactTime(job.ended_at)}`,
  ];
  return html`<p class="verdict">${status(tone, words)}</p>
    <p class="factline muted">${facts.map((fact, at) => html`${at === 0 ? null : ' · '}${fact}`)}</p>`;
}

/** Of a job that still measures: what is known by now, and of how many of its nodes. */
function verdictOf(view: JobView): { tone: Tone; words: string } {
  const { job, nodes: joined, figures, judgement } = view;
  const { verdict } = judgement;
  const line = verdictLine(verdict, isOfProcessors(view));
  if (isOver(job)) return { tone: gradeTones[verdict.grade], words: line };
  if (joined.length === 0) return { tone: 'none', words: `Waiting for node 1 of ${job.node_count}` };
  const of = `${figures.size} of ${job.node_count} ${job.node_count === 1 ? 'node' : 'nodes'}`;
  if (verdict.grade === 'not_measured') return { tone: 'run', words: `Measuring: ${of} delivered` };
  return {
    tone: verdict.grade === 'good' ? 'run' : gradeTones[verdict.grade],
    words: `${line}; ${of} delivered so far`,
  };
}

/** "2 x 8 NVIDIA H100 80GB HBM3" if all nodes are alike, else how many there are of each model. */
function hardwareOf({ job, nodes: joined }: JobView): string {
  const known = joined.filter(({ gpu_model: model }) => model !== null);
  const kinds = [
    ...Map.groupBy(known, ({ gpu_model: model, gpu_count: count }) => `${count ?? 1} x ${named(model ?? '')}`),
  ];
  const words = kinds.map(([kind, same]) => (joined.length === 1 ? kind : `${same.length} x ${kind}`));
  const of = `${joined.length} of ${job.node_count} ${job.node_count === 1 ? 'node' : 'nodes'} joined`;
  return [...words, ...(joined.length === job.node_count && words.length > 0 ? [] : [of])].join(', ');
}

const tiersOf = ({ figures }: JobView): string[] => {
  const tiers = [...new Set([...figures.values()].flatMap(({ tier }) => tier ?? []))];
  return tiers.length === 0 ? [] : [tiers.join(' and ')];
};

function actions(view: JobView): Content {
  const { job, viewer } = view;
  if (viewer.isShared)
    return html`<p class="small muted">The report names machines, so it does not come with a shared link.</p>`;
  const here = `/jobs/${job.id}`;
  const isWaiting = job.state === 'created' || job.state === 'starting';
  const isKept = job.state === 'starting' || job.state === 'running';
  return html`<div class="acts">
      ${isWaiting ? html`<a class="btn main" href="${here}/start">Show start command</a>` : null}${job.report_key ? html`<a class="btn main" href="${here}/report.pdf">Report (PDF)</a>` : null}
      <a class="btn" href="${here}/share">Share</a>
      <a class="btn" href="/compare?items=job:${job.id}">Compare</a>
      ${isOver(job) ? null : html`<a class="btn risk" href="${here}/abort">Abort</a>`}
      <details class="menu">
        <summary class="btn">More</summary>
        <p class="acts">
          <a class="btn" href="${here}.json">JSON</a>
          <a class="btn" href="${here}/nodes.csv">CSV</a>
          ${isKept ? null : html`<a class="btn risk" href="${here}/delete">Delete</a>`}
        </p>
      </details>
    </div>
    ${job.report_key ? null : html`<p class="small muted">${withoutReport(view).words}</p>`}`;
}
