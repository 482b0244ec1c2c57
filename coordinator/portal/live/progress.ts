import { note } from '../components/note.ts';
import { jobTones, status, type Tone } from '../components/status.ts';
import { elapsed, exactTime } from '../components/time.ts';
import { html, raw, type Content, type Html } from '../frame/html.ts';
import { isOfProcessors } from './hardware.ts';
import { isOver, type JobView } from './job-view.ts';

/** What a job does now: how far its nodes are, and its steps. An ended job has its steps at the end of the page. */
export function progress(view: JobView): Content {
  const { job } = view;
  return html`${isOver(job) ? null : html`<h2 class="vh">Progress</h2>`}${isOver(job) ? null : shareOf(view)}
  ${isOver(job) ? null : timeline(stepsOf(view))}${job.is_simulated ? note('sim', 'SIMULATED: not a measurement.', 'Cards of this job are simulated. Its figures are never ranked, compared with real cards or counted in a median.') : null}${isOfProcessors(view) ? note('run', 'Measured on processors, not on GPUs.', 'These figures are never compared with those of GPUs or mixed with them.') : null}`;
}

/** The steps of an ended job, folded into one line that says how and when it ended; what the units and the engine are. */
export function pastSteps(view: JobView): Content {
  const { job } = view;
  // Nothing that stays stands below what grows while the job runs.
  if (!isOver(job)) return null;
  const { label, detail } = endOf(job);
  return html`<details class="past">
      <summary>${label} ${detail}</summary>
      ${timeline(stepsOf(view))}
    </details>
    <p class="small muted">
      1 TFLOP/s is 10¹² operations a second, 1 GB/s 10⁹ bytes a
      second.${job.engine === null ? null : ` bf16 by the engine ${job.engine}.`}
    </p>`;
}

/**
 * How much of the measuring is done, by what each node reported with its last beat. No agent reports how long it plans to
 * measure, so nothing is said of the time that remains.
 */
function shareOf({ job, nodes }: JobView): Content {
  if (job.state !== 'running') return null;
  const shares = nodes.map(({ state, progress: share }) => (state === 'completed' ? 1 : (share ?? 0)));
  const done = shares.reduce((sum, share) => sum + share, 0) / job.node_count;
  const percent = Math.floor(done * 100);
  return html`<p class="share">
    <progress value="${done.toFixed(2)}" max="1" aria-label="Share of the measuring that is done">
      ${percent} %
    </progress>
    <span>${percent} % measured</span>
  </p>`;
}

function stepsOf(view: JobView): Step[] {
  const { job, nodes, links } = view;
  const over = isOver(job);
  const done = nodes.filter(({ state }) => state === 'completed').length;
  const running = job.state === 'running';
  return [
    { tone: 'ok', label: 'Created', detail: exactTime(job.created_at) },
    nodes.length > 0
      ? {
          tone: nodes.length === job.node_count || over ? 'ok' : 'run',
          label: 'Nodes',
          detail: `${nodes.length} of ${job.node_count} joined`,
          isCurrent: job.state === 'starting',
        }
      : {
          tone: over ? 'none' : 'run',
          label: 'Nodes',
          detail: over ? 'none joined' : `waiting for node 1 of ${job.node_count}`,
          isCurrent: !over,
        },
    {
      tone: done === nodes.length && done > 0 ? 'ok' : running ? 'run' : 'none',
      label: 'QuickMark',
      detail: html`${nodes.length === 0 ? (over ? 'not measured' : 'when nodes have joined') : `${done} of ${nodes.length} nodes delivered`}${job.started_at === null ? null : html`, started ${exactTime(job.started_at)}`}`,
      isCurrent: running,
    },
    ...(job.benchmarks.includes('cluster_network')
      ? [
          {
            tone: links.length > 0 ? ('ok' as const) : ('none' as const),
            label: 'Cluster network',
            detail:
              links.length > 0
                ? `${links.length} ${links.length === 1 ? 'link' : 'links'} measured`
                : over
                  ? 'not measured'
                  : 'when all nodes have joined',
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

/** Why there is no report: `step` in the timeline, `words` for the owner beside the buttons. */
const WITHOUT_REPORT = {
  later: { step: 'when all nodes have delivered', words: 'The report (PDF) follows when the last node has delivered.' },
  unattended: { step: 'none: no node joined', words: 'There is no report: no node joined.' },
  due: { step: 'being made', words: 'The report (PDF) is being made and appears here by itself.' },
  failed: {
    step: 'none: it could not be made',
    words: 'The report could not be made. The reason is in the log of the coordinator: ask its operator.',
  },
} as const;

/** Every job that at least one node joined gets a report when it ends, even if no node delivered. */
export function withoutReport({ job, nodes: all }: JobView): (typeof WITHOUT_REPORT)[keyof typeof WITHOUT_REPORT] {
  if (!isOver(job)) return WITHOUT_REPORT.later;
  if (all.length === 0) return WITHOUT_REPORT.unattended;
  return job.is_report_due ? WITHOUT_REPORT.due : WITHOUT_REPORT.failed;
}

const ofReport = ({ isShared }: JobView['viewer']): string => (isShared ? 'made, for the company alone' : 'ready');

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
