import type { Judgement, RunFinding, Unmeasured } from '../../contract/judgement.ts';
import { findingWords, placeWords, type PlaceNames } from '../../figures/findings/finding-words.ts';
import { metricNames } from '../../figures/metric-names.ts';
import { statusShape } from '../components/status.ts';
import { html, named, type Content, type Html } from '../frame/html.ts';
import type { JobView } from './job-view.ts';
import { evidenceOf, placesOf } from './places.ts';

/** The first few, which with their actions leave room for the cards and the grid on one screen. */
const SHOWN = 4;
/** Longest sentence of a finding: its evidence, place and figures. Findings are never cut. */
const MOST_WORDS = 1200;

/** How problems are shown to a reader. */
export interface Shown {
  names: PlaceNames;
  isShared: boolean;
  hrefOf: (finding: RunFinding) => string | null;
}

/** The problems of a job, worst first, each with what to do and a link to its evidence; nothing for a job without any. */
export function problems(view: JobView): Content {
  const { job, viewer, judgement } = view;
  const { findings } = judgement;
  const shown = shownTo(view);
  return html`${
    findings.length === 0
      ? null
      : html`<h2 class="vh">Problems, worst first</h2>
          ${problemList(findings.slice(0, SHOWN), shown)}`
  }${
    findings.length > SHOWN
      ? html`<p class="small"><a href="${viewer.base}/jobs/${job.id}/findings">All ${findings.length} problems</a></p>`
      : null
  }`;
}

const shownTo = (view: JobView): Shown => ({
  names: placesOf(view),
  isShared: view.viewer.isShared,
  hrefOf: (finding) => evidenceOf(view, finding),
});

/** What nobody knows of a job, by reason, and what is worth knowing of it; remarks name machines, so shared pages have none. */
export function notMeasured(view: JobView): Content {
  const { not_measured: unmeasured, remarks = [] } = view.judgement;
  return html`${unmeasuredList(unmeasured, shownTo(view))}${
    remarks.length === 0 || view.viewer.isShared
      ? null
      : html`<details>
          <summary>Worth knowing, nothing to do</summary>
          <ul class="small">
            ${remarks.map(({ rule, evidence }) => html`<li>${named(evidence, MOST_WORDS)} <a href="/health-rules?rule=${encodeURIComponent(rule)}">Rule ${named(rule)}</a></li>`)}
          </ul>
        </details>`
  }`;
}

/** The problems of one machine, under their own heading. */
export const problemSection = ({ findings, not_measured: unmeasured }: Judgement, shown: Shown): Content =>
  findings.length + unmeasured.length === 0
    ? null
    : html`<section id="problems">
        ${findings.length === 0 ? null : html`<h2>Problems, worst first</h2>`}${problemList(findings, shown)}
        ${unmeasuredList(unmeasured, shown)}
      </section>`;

const problemList = (findings: readonly RunFinding[], shown: Shown): Content =>
  findings.length === 0
    ? null
    : html`<ul class="warnings">
        ${findings.map((finding) => problem(finding, shown))}
      </ul>`;

const TONES = { bad: 'bad', check: 'warn' } as const;
export const gradeWords = { good: 'good', check: 'to check', bad: 'bad', not_measured: 'not measured' } as const;

function problem(finding: RunFinding, shown: Shown): Html {
  const { grade, action, health, rule } = finding;
  const tone = TONES[grade];
  const where = named(placeWords(finding, shown.names));
  const href = shown.hrefOf(finding);
  return html`<li class="${tone}">
    ${statusShape(tone)}
    <div>
      <p>
        <strong
          ><span class="vh">${gradeWords[grade]}: </span
          >${href === null ? where : html`<a href="${href}">${where}</a>`}: ${whatOf(finding, shown)}</strong
        >
      </p>
      <p class="do">
        <b>Do:</b>
        ${withCommands(action)}${health === undefined ? null : html` <a href="/health-rules?rule=${encodeURIComponent(rule)}">Rule ${named(rule)}</a>`}
      </p>
    </div>
  </li>`;
}

/**
 * What was found. Evidence and links may quote an agent, whose texts can name machines: shared pages have the figures and the
 * rule instead.
 */
export const whatOf = (finding: RunFinding, { isShared }: Pick<Shown, 'isShared'>): string =>
  isShared
    ? [metricNames(finding.figures), ruleWords(finding.rule)].filter((part) => part !== '').join(': ')
    : named(findingWords(finding), MOST_WORDS);

/** What a rule found, where its own words are left out. */
const ruleWords = (rule: string): string => unquoted[rule] ?? rule.replaceAll('_', ' ');

const unquoted: Readonly<Record<string, string>> = {
  run_warning: 'a warning of the measurement',
  run_stopped: 'it was stopped',
  node_failed: 'it failed',
  node_lost: 'it stopped answering',
  copies_peers: 'copies slower than the others',
  copies_links: 'copies over fewer links than there are',
  copies_wrong: 'copies that arrived changed',
  copies_missing: 'copies that failed',
};

/** Text in which parts between backticks are rendered as commands. */
export const withCommands = (text: string): Content =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`));

/** What nobody knows, by reason, folded away: neither a problem nor good. */
function unmeasuredList(unmeasured: readonly Unmeasured[], { names, isShared }: Shown): Content {
  if (unmeasured.length === 0) return null;
  const count = new Set(unmeasured.flatMap(({ figures, signals }) => [...figures, ...signals])).size;
  return html`<details>
    <summary>Not measured or read: ${count} ${count === 1 ? 'figure or signal' : 'figures and signals'}</summary>
    <ul class="small">
      ${unmeasured.map(({ because, figures, signals, ...places }) => {
        const of = [metricNames(figures), signals.join(', ')].filter((part) => part !== '').join(', ');
        const why = isShared ? null : html`: ${named(because, MOST_WORDS)}`;
        return html`<li>${named(placeWords(places, names))}: ${named(of, MOST_WORDS)}${why}</li>`;
      })}
    </ul>
  </details>`;
}
