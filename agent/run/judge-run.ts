import type { Judgement, RunFinding } from '../../coordinator/contract/judgement.ts';
import type { QuickMarkResults } from '../../coordinator/contract/quick-mark.ts';
import { findingSentence, ofOneNode } from '../../coordinator/figures/findings/finding-words.ts';
import { judgeNode } from '../../coordinator/figures/findings/judge-node.ts';
import { countFindings, countPlaces, gradeOf, sortFindings, worstByPlace } from '../../coordinator/figures/findings/verdict.ts';

interface JudgedRun {
  /** Of each quick_mark, in order; also those without any figure. */
  judged: readonly QuickMarkResults[];
  /** Of the run itself. */
  warnings: readonly string[];
  /** Whether somebody ended it early. */
  isStopped: boolean;
}

/** The judgement of this machine; a job may measure it more than once, and then each problem counts once. */
export function judgeRun({ judged, warnings, isStopped }: JudgedRun): Judgement {
  const told = isStopped ? [...warnings, STOPPED] : warnings;
  const [first = null, ...others] = judged;
  const one = judgeNode(first, { warnings: told });
  return others.length === 0 ? one : joined([one, ...others.map((results) => judgeNode(results, { warnings: [] }))]);
}

/** Told with the finding `run_stopped`: what is missing is not known to be good. */
const STOPPED = 'The run was stopped.';

function joined(all: readonly Judgement[]): Judgement {
  const findings = sortFindings(unique(all.flatMap((one) => one.findings)));
  const sum = (of: (one: Judgement['verdict']) => number): number =>
    all.reduce((total, { verdict }) => total + of(verdict), 0);
  const figures = {
    good: sum((one) => one.figures.good),
    check: sum((one) => one.figures.check),
    bad: sum((one) => one.figures.bad),
    not_measured: sum((one) => one.figures.not_measured),
  };
  const most = (of: (one: Judgement['verdict']) => number): number => Math.max(...all.map(({ verdict }) => of(verdict)));
  const links = { of: most((one) => one.links.of), bad: most((one) => one.links.bad), check: most((one) => one.links.check) };
  return {
    verdict: {
      grade: gradeOf(findings, figures, links),
      ...countFindings(findings),
      nodes: countPlaces(1, worstByPlace(findings, () => ['node'])),
      devices: countPlaces(
        most((one) => one.devices.of),
        worstByPlace(findings, (finding) => finding.devices.map(String)),
      ),
      links,
      figures,
    },
    findings,
    not_measured: unique(all.flatMap((one) => one.not_measured)),
  };
}

const unique = <T>(all: readonly T[]): T[] => [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];

/** Every problem of a run as a sentence, for scripts: the warnings of the run itself, then the findings that are none of them. */
export function problemSentences(
  warnings: readonly string[],
  { findings }: Judgement,
  devices: readonly { device_id: string; vendor: string }[],
): string[] {
  const names = ofOneNode(new Set(devices.map(({ device_id }) => device_id)).size, devices[0]?.vendor === 'cpu');
  const others = findings.filter((finding) => !isOfRun(finding));
  return [...warnings, ...others.map((finding) => findingSentence(finding, names))];
}

/** A warning of the run; an unknown rule of a figure is named alike, but with its figure. */
const isOfRun = ({ rule, figures, link }: RunFinding): boolean =>
  (rule === 'run_warning' || rule === 'run_stopped') && figures.length === 0 && link === undefined;
