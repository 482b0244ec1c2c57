import { launchJob } from '../../jobs/job-token.ts';
import { networkLimits } from '../../contract/network-config.ts';
import { tierSeconds } from '../../contract/tier-seconds.ts';
import type { LaunchLines } from '../../contract/create-job.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { command } from '../components/copyable.ts';
import { note } from '../components/note.ts';
import { time } from '../components/time.ts';
import { assetUrl } from '../frame/assets.ts';
import { html, named, raw, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { get, type PageRoute } from '../frame/route.ts';
import { idOf, type Visit } from '../frame/visit.ts';
import { renderJob } from '../live/rendered.ts';
import { findJobPage } from '../queries/job-page.ts';

export const startJobPages: readonly PageRoute[] = [
  get('/jobs/:id/start', { who: 'member', showsSecret: true }, start),
];

/** Ways to start a job's agents, the simplest first; those without a line are not offered. */
export const launchers = [
  { id: 'download', label: 'Download and run, one line' },
  { id: 'download_arm64', label: 'The same on arm64' },
  { id: 'binary', label: 'The agent is installed' },
  { id: 'docker', label: 'Docker or Podman' },
  { id: 'slurm', label: 'Slurm' },
  { id: 'kubernetes', label: 'Kubernetes' },
] as const satisfies readonly { id: keyof LaunchLines; label: string }[];

const fileLink = (name: string) => html`<a href="${assetUrl(name)}" download>${name}</a>`;

/** The command line with the job's token, shown to its owner while the token is valid; below it who has joined, live. */
async function start(visit: Visit): Promise<Response> {
  const { context, params, query } = visit;
  const { job, lines } = await launchJob(context, idOf(params['id']));
  const common = {
    title: 'Start the job',
    nav: 'jobs',
    crumbs: [
      { href: '/jobs', label: 'Jobs' },
      { href: `/jobs/${job.id}`, label: named(job.name) },
    ],
    facts: html`${named(job.name)} · ${job.node_count} ${job.node_count === 1 ? 'node' : 'nodes'}`,
    actions: html`<a class="btn main" href="/jobs/${job.id}">Open the job</a>`,
  } as const;
  if (lines === null)
    return page(visit, {
      ...common,
      body: note(
        'plain',
        'This job takes no more agents.',
        html`It has ended, or its token has expired or belongs to another company. <a href="/jobs/new">New job</a>.`,
      ),
    });
  const offered = launchers.flatMap(({ id, label }) => {
    const line = lines[id];
    return line === undefined ? [] : [{ id, label, line }];
  });
  const chosen = offered.find(({ id }) => id === query.get('launcher')) ?? offered[0];
  return page(visit, {
    ...common,
    refreshSeconds: 10,
    body: html`<nav aria-label="Ways to start">
        <ul class="chips">
          ${offered.map(({ id, label }) => html`<li><a href="/jobs/${job.id}/start?launcher=${id}" ${id === chosen?.id ? raw(' aria-current="page"') : null}>${label}</a></li>`)}
        </ul>
      </nav>
      <p>${where(chosen?.id ?? 'binary', job.node_count)}</p>
      ${command(chosen?.line ?? '', 'Start command')}
      <p>${duration(job, chosen?.id !== 'kubernetes')}</p>
      ${await joined(visit, job.id)}
      ${note('warn', 'The command contains the job’s token.', html`Anyone who has it can deliver results to this job until ${time(job.expires_at)}, and nothing else. Later this page asks for your password before it shows it again.`)}`,
  });
}

function where(launcher: keyof LaunchLines, nodeCount: number): Content {
  const machines = nodeCount === 1 ? 'the machine' : `each of the ${nodeCount} machines`;
  const agent = html`<code>gpumark-agent</code> has to be in the PATH`;
  if (launcher === 'slurm')
    return html`Run this once, on a login node, beside ${fileLink('gpumark.sbatch')}. ${agent} of the nodes.`;
  if (launcher === 'kubernetes') return html`Run this once, beside ${fileLink('benchmark-job.yaml')}.`;
  if (launcher === 'binary') return html`Run this on ${machines}. ${agent}.`;
  if (launcher === 'docker') return html`Run this on ${machines}.`;
  return html`Run this on ${machines}, in a folder that you may write to: it downloads the agent, checks its SHA-256 and
  starts it.`;
}

const minutes = (seconds: number): string => {
  const [amount, unit] = seconds < 3600 ? [Math.ceil(seconds / 60), 'minute'] : [Math.round(seconds / 3600), 'hour'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
};

/** By the plan of the agent's tiers, or by the time that the job was given. */
function duration(
  { benchmark_sequence: sequence }: Pick<Awaited<ReturnType<typeof launchJob>>['job'], 'benchmark_sequence'>,
  takesOptions: boolean,
): Content {
  const timeoutOf = (id: string, otherwise: number): number =>
    Math.max(
      ...sequence
        .filter(({ benchmark_id }) => benchmark_id === id)
        .map(({ config }) => (typeof config?.['timeout'] === 'number' ? config['timeout'] : otherwise)),
    );
  const quick = timeoutOf('quick_mark', tierSeconds.quick);
  const links = timeoutOf('cluster_network', networkLimits.timeoutSeconds.default);
  return html`Takes <strong>about ${minutes(quick)}</strong> on each machine, all at the same
    time.${Number.isFinite(links) ? ` Then, once every node has joined, the links between them: at most ${minutes(links)}.` : null}
    ${
      takesOptions
        ? html`<span class="muted"
            >With <code>--tier standard</code> at the end of the line about ${minutes(tierSeconds.standard)}, with
            <code>--tier soak</code> about ${minutes(tierSeconds.soak)}.</span
          >`
        : null
    }`;
}

/** The regions of the job's own page that say what has happened so far, as they change. */
async function joined({ context }: Visit, id: string): Promise<Content> {
  const found = await findJobPage(context.sql, { id, customerId: visibleCustomer(context.actor) });
  if (!found) throw notFound('Job');
  const viewer = { isShared: false, base: '', rows: null, cols: null, nodesPage: 1, isWorstFirst: false };
  const { seq, parts } = await renderJob(
    context,
    { id, seq: Number(found.seq), isMeasuring: found.state === 'running' },
    viewer,
  );
  return html`<div data-live="/jobs/${id}/events" data-seq="${seq}">
      <p class="live"><span id="live" role="status"></span></p>
    </div>
    <script src="${assetUrl('live.js')}" type="module"></script>
    ${parts.filter(({ region }) => region === 'r-progress').map((part) => raw(part.html))}`;
}
