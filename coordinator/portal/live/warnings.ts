import { html, named, type Content, type Html } from '../frame/html.ts';
import { statusShape, type Tone } from '../components/status.ts';
import { nodeLabel, type JobView } from './job-view.ts';

interface Warning {
  tone: Extract<Tone, 'bad' | 'warn' | 'none'>;
  what: Content;
  act: Content;
}

const SHOWN = 5;

/** Worst first: nodes that failed or fell silent, then what the job and its nodes warn of, equal ones once. */
export function warningsOf(view: JobView, most: number): Html {
  const all = listed(view);
  if (all.length === 0)
    return html`<p class="muted">
      ${view.nodes.length === 0 ? 'Nothing to warn of: no node has come yet.' : 'Nothing to warn of so far.'}
    </p>`;
  return html`${warningList(all.slice(0, most))}
  ${all.length > most ? html`<p class="small"><a href="${view.viewer.base}/jobs/${view.job.id}/findings">All ${all.length} warnings</a></p>` : null}`;
}

/** What, where, and what to do about it. */
const warningList = (shown: readonly Warning[]): Html =>
  html`<ul class="warnings">
    ${shown.map(
      ({ tone, what, act }) =>
        html`<li class="${tone}">
          ${statusShape(tone)}
          <div>
            <p><strong>${what}</strong></p>
            <p class="do"><b>Do:</b> ${act}</p>
          </div>
        </li>`,
    )}
  </ul>`;

/** Figures of one machine that are in doubt, worst first; those that trip the same rule are told once. */
export function doubtsOf(
  figures: readonly { label: string; device: string; verdict: string | null; rule: string | null }[],
): Content {
  const doubtful = figures.filter(({ verdict }) => verdict === 'bad' || verdict === 'warn');
  if (doubtful.length === 0) return null;
  const byRule = [...Map.groupBy(doubtful, ({ verdict, label, rule }) => `${verdict} ${label} ${rule}`).values()];
  const shown = byRule.flatMap((same): Warning[] => {
    const [first] = same;
    if (first === undefined) return [];
    const rule = first.rule ?? 'no rule was named';
    return [
      {
        tone: first.verdict === 'bad' ? 'bad' : 'warn',
        what: html`${named(first.label)} of ${named(same.map(({ device }) => device).join(', '))}: ${named(rule)}`,
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

/** More are in the table beneath. */
const MOST_DOUBTS = 20;

export const shortWarnings = (view: JobView): Html => warningsOf(view, SHOWN);
export const countWarnings = (view: JobView): number => listed(view).length;

function listed(view: JobView): Warning[] {
  const { job, nodes, viewer } = view;
  const fallen = nodes
    .filter(({ state }) => state === 'failed' || state === 'lost')
    .map((node): Warning => ({
      tone: 'bad',
      what: html`Node ${nodeLabel(node, viewer)}
      ${node.state === 'lost' ? 'fell silent' : 'failed'}${node.failed_message && !viewer.isShared ? html`: ${named(node.failed_message)}` : null}.`,
      act:
        node.state === 'lost'
          ? 'Look whether the machine runs. An agent that comes back goes on where it was; else start it there again.'
          : html`Run <code>gpumark-agent --setup</code> on it, which says what is missing, then start a new job.`,
    }));
  // Words of agents and of the verdict name machines, so strangers get their number alone.
  const told = new Map<string, number[]>();
  for (const { node, warnings } of nodes)
    for (const text of warnings) told.set(text, [...(told.get(text) ?? []), node]);
  const ofNodes = [...told].map(([text, of]): Warning => ({
    tone: 'warn',
    what: html`${of.length === 1 ? 'Node' : 'Nodes'} ${of.join(', ')}:
    ${viewer.isShared ? 'a warning of the measurement' : named(text)}`,
    act: actFor(text),
  }));
  const ofJob = viewer.isShared ? [] : job.warnings.filter((text) => ![...told.keys()].some((of) => text.endsWith(of)));
  return [
    ...fallen,
    ...ofJob.map((text): Warning => ({ tone: 'warn', what: named(text), act: actFor(text) })),
    ...ofNodes,
  ];
}

/** The action for the commonest causes; the report explains each in full. */
function actFor(text: string): Content {
  if (/spread|differ|noise|steady/i.test(text))
    return html`Stop other work on the machine, or give the job whole nodes (Slurm: <code>--exclusive</code>), then run
      it again.`;
  if (/throttl|temperature|thermal|power/i.test(text))
    return html`Look at cooling and power limits: <code>nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER</code>, on AMD
      <code>amd-smi metric --power --temperature --clock</code>.`;
  if (/link|rtt|latency|loss|cable/i.test(text))
    return 'Look at the links below: change the cable or the port of the one named, then run again.';
  return 'The report says how it was found; run the node again to see whether it stays.';
}
