import { jobStateStatus, jobTones, status, type Tone } from '../components/status.ts';
import { note } from '../components/note.ts';
import { elapsed, exactTime } from '../components/time.ts';
import { html, raw, type Content, type Html } from '../frame/html.ts';
import { figuresOf } from './figures.ts';
import { gpuCopies } from './gpu-copies.ts';
import { isOfProcessors } from './hardware.ts';
import { isOver, type JobView } from './job-view.ts';
import { links } from './links.ts';
import { nodes } from './nodes.ts';
import { together } from './together.ts';
import { countWarnings, shortWarnings } from './warnings.ts';

/** Parts of the page that change while the job runs, by the id of the element they replace. */
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
  'r-copies': gpuCopies,
  'r-links': links,
  'r-together': together,
  'r-report': report,
};

/** The region as it is rendered in the page and sent in the stream. */
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

function progress(view: JobView): Html {
  const { job, nodes: all, links: measured } = view;
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
      detail: html`${all.length === 0 ? 'when nodes have come' : `${done} of ${all.length} nodes delivered`}${job.started_at === null ? null : html`, started ${exactTime(job.started_at)}`}`,
      isCurrent: running,
    },
    ...(hasLinks
      ? [
          {
            tone: measured.length > 0 ? ('ok' as const) : ('none' as const),
            label: 'Cluster network',
            detail:
              measured.length > 0
                ? `${measured.length} ${measured.length === 1 ? 'link' : 'links'} measured`
                : 'when all nodes are there',
          },
        ]
      : []),
    {
      tone: job.report_key ? 'ok' : 'none',
      label: 'Report',
      detail: job.report_key ? ofReport(view.viewer) : withoutReport(view).step,
    },
    endOf(job),
  ];
  return html`<h2 class="vh">Progress</h2>
    ${timeline(steps)}${job.is_simulated ? note('sim', 'SIMULATED: not a measurement.', 'Cards of this job are simulated. Its figures are never ranked, compared with real cards or counted in a median.') : null}${isOfProcessors(view) ? note('run', 'Measured on processors, not on GPUs.', 'These figures are never compared with those of GPUs or mixed with them.') : null}`;
}

/** The last step: how and when the job ended, and how long it took. */
function endOf({ state, created_at, started_at, ended_at }: JobView['job']): Step {
  if (ended_at === null) return { tone: 'none', label: 'End', detail: 'when its nodes are done' };
  const from = started_at ?? created_at;
  return {
    tone: jobTones[state],
    label: sentence(state.replaceAll('_', ' ')),
    detail: html`${exactTime(ended_at)}, ${elapsed(from, ended_at)} after
    ${started_at === null ? 'it was created' : 'its start'}`,
    isCurrent: true,
  };
}

const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

/** Why there is no report: `step` in the timeline, `words` for the owner in the report's own region. */
const WITHOUT_REPORT = {
  later: {
    step: 'when all nodes are in',
    words: 'The PDF is made when the last node is in. It appears here without a reload.',
  },
  unattended: { step: 'none: no node came', words: 'There is none: no node came.' },
  due: { step: 'being made', words: 'The PDF is being made. It appears here without a reload.' },
  failed: {
    step: 'none: it could not be made',
    words: 'The PDF could not be made. The reason is in the log of the coordinator: ask its operator.',
  },
} as const;

/** Every job that at least one node joined gets a report when it ends, even if no node delivered. */
function withoutReport({ job, nodes: all }: JobView): (typeof WITHOUT_REPORT)[keyof typeof WITHOUT_REPORT] {
  if (!isOver(job)) return WITHOUT_REPORT.later;
  if (all.length === 0) return WITHOUT_REPORT.unattended;
  return job.is_report_due ? WITHOUT_REPORT.due : WITHOUT_REPORT.failed;
}

const ofReport = ({ isShared }: JobView['viewer']): string =>
  isShared ? 'made, for the company alone' : 'ready below';

function report(view: JobView): Html {
  const { job, viewer } = view;
  if (job.report_key && !viewer.isShared)
    return html`<h2>Report</h2>
      <p><a class="btn" href="/jobs/${job.id}/report.pdf">Report as PDF</a></p>`;
  if (viewer.isShared)
    return html`<h2>Report</h2>
      <p class="muted">The report names machines, so it does not come with a shared link.</p>`;
  return html`<h2>Report</h2>
    <p class="muted">${withoutReport(view).words}</p>`;
}

interface Step {
  tone: Tone;
  label: string;
  detail: Content;
  isCurrent?: boolean;
}

/** Past steps with their time, the current one with its count, future ones with their condition. */
const timeline = (steps: readonly Step[]): Html =>
  html`<ol class="steps">
    ${steps.map(({ tone, label, detail, isCurrent }) => html`<li class="${tone}" ${isCurrent ? raw(' aria-current="step"') : null}>${status(tone, label)}<span>${detail}</span></li>`)}
  </ol>`;
