import { DO } from '../../figures/tell-health.ts';
import { html, named, type Content, type Html } from '../frame/html.ts';
import { statusShape, type Tone } from '../components/status.ts';
import { nodeLabel, type NodesView } from './job-view.ts';

export interface Finding {
  tone: Extract<Tone, 'bad' | 'warn'>;
  /** by number; empty: applies to the job as a whole */
  nodes: readonly number[];
  what: string;
  /** what to do, with commands between backticks */
  act: string;
}

/** Text in which parts between backticks are rendered as commands. */
export const withCommands = (text: string): Content =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`));

const SHOWN = 5;

/** The first few, and a link to the rest. */
export function shortWarnings(view: NodesView): Html {
  const all = findingsOf(view);
  if (all.length === 0)
    return html`<p class="muted">
      ${view.nodes.length === 0 ? 'Nothing to warn of: no node has come yet.' : 'Nothing to warn of so far.'}
    </p>`;
  return html`${warningList(all.slice(0, SHOWN))}
  ${all.length > SHOWN ? html`<p class="small"><a href="${view.viewer.base}/jobs/${view.job.id}/findings">All ${all.length} warnings</a></p>` : null}`;
}

/** What happened, where, and what to do about it. */
const warningList = (shown: readonly Finding[]): Html =>
  html`<ul class="warnings">
    ${shown.map(
      ({ tone, what, act }) =>
        html`<li class="${tone}">
          ${statusShape(tone)}
          <div>
            <p><strong>${what}</strong></p>
            <p class="do"><b>Do:</b> ${withCommands(act)}</p>
          </div>
        </li>`,
    )}
  </ul>`;

/** Doubtful figures of one machine, worst first; those that trip the same rule are listed once. */
export function doubtsOf(
  figures: readonly { label: string; device: string; verdict: string | null; rule: string | null }[],
): Content {
  const doubtful = figures.filter(({ verdict }) => verdict === 'bad' || verdict === 'warn');
  if (doubtful.length === 0) return null;
  const byRule = [...Map.groupBy(doubtful, ({ verdict, label, rule }) => `${verdict} ${label} ${rule}`).values()];
  const shown = byRule.flatMap((same): Finding[] => {
    const [first] = same;
    if (first === undefined) return [];
    const rule = first.rule ?? 'no rule was named';
    return [
      {
        tone: first.verdict === 'bad' ? 'bad' : 'warn',
        nodes: [],
        what: `${named(first.label)} of ${named(same.map(({ device }) => device).join(', '))}: ${named(rule)}`,
        act: actFor(rule),
      },
    ];
  });
  const worstFirst = shown.toSorted((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'));
  return html`<section>
    <h2>${worstFirst.length} ${worstFirst.length === 1 ? 'figure' : 'figures'} in doubt, worst first</h2>
    ${warningList(worstFirst.slice(0, MOST_DOUBTS))}
  </section>`;
}

/** The table below has all of them. */
const MOST_DOUBTS = 20;

export const countWarnings = (view: NodesView): number => findingsOf(view).length;

/** Worst first: failed and lost nodes, then the warnings of the job and its nodes, duplicates merged. */
export function findingsOf(view: NodesView): Finding[] {
  const { job, nodes, viewer } = view;
  const fallen = nodes
    .filter(({ state }) => state === 'failed' || state === 'lost')
    .map((node): Finding => {
      const why = node.failed_message && !viewer.isShared ? toldApart(node.failed_message) : null;
      return {
        tone: 'bad',
        nodes: [node.node],
        what: `Node ${nodeLabel(node, viewer)} ${node.state === 'lost' ? 'stopped responding' : 'failed'}${why === null ? '' : `: ${why.what.replace(/\.$/, '')}`}.`,
        act:
          node.state === 'lost'
            ? 'Check that the machine is running. An agent that reconnects resumes where it was; otherwise start it again.'
            : (why?.act ?? 'Run `gpumark-agent --setup` on it, which says what is missing, then start a new job.'),
      };
    });
  // The texts of agents and of the verdict name machines, so shared pages show only the numbers of the nodes.
  const told = new Map<string, number[]>();
  for (const { node, warnings, failed_message: failed } of nodes)
    // Why a node failed is said above.
    for (const text of warnings) if (failed?.includes(text) !== true) told.set(text, [...(told.get(text) ?? []), node]);
  const ofNodes = [...told].map(([text, of]): Finding => ({
    tone: 'warn',
    nodes: of,
    what: `${of.length === 1 ? 'Node' : 'Nodes'} ${of.join(', ')}: ${viewer.isShared ? 'a warning of the measurement' : toldApart(text).what}`,
    act: actFor(text),
  }));
  const ofJob = viewer.isShared ? [] : job.warnings.filter((text) => ![...told.keys()].some((of) => text.endsWith(of)));
  return [
    ...fallen,
    ...ofJob.map((text): Finding => ({
      tone: 'warn',
      nodes: [],
      what: toldApart(text).what,
      act: actFor(text),
    })),
    ...ofNodes,
  ];
}

/** What and action as they are shown: a sentence of the health rules names its action itself. */
function toldApart(text: string): { what: string; act: string | null } {
  const at = text.indexOf(` ${DO} `);
  if (at === -1) return { what: named(text), act: null };
  const act = named(text.slice(at + DO.length + 2));
  return { what: named(text.slice(0, at)), act: `${act.charAt(0).toUpperCase()}${act.slice(1)}` };
}

/** The action for the most common causes; the report explains each in full. */
function actFor(text: string): string {
  const { act } = toldApart(text);
  if (act !== null) return act;
  if (text.endsWith('was stopped.'))
    return 'What it had measured by then is on its page. To measure the rest, start a new job.';
  if (/all at once:/.test(text))
    return 'Look at cooling and power of the whole server (BMC: power supplies, limits, fan errors), and at what its cards share: PCIe switches, memory channels.';
  if (/spread|differ|noise|steady/i.test(text))
    return 'Stop other work on the machine, or give the job whole nodes (Slurm: `--exclusive`), then run it again.';
  if (/throttl|temperature|thermal|power/i.test(text))
    return 'Look at cooling and power limits: `nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER`, on AMD `amd-smi metric --power --temperature --clock`.';
  if (/link|rtt|latency|loss|cable/i.test(text))
    return 'Look at the links below: change the cable or the port of the one named, then run again.';
  return 'The report says how it was found; run the node again to see whether it stays.';
}
