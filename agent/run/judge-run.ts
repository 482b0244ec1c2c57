import type { Judgement, RunFinding } from '../../coordinator/contract/judgement.ts';
import type { QuickMarkResults } from '../../coordinator/contract/quick-mark.ts';
import { findingSentence, ofOneNode } from '../../coordinator/figures/findings/finding-words.ts';
import { sameNode } from '../../coordinator/figures/findings/job-judgement.ts';
import { nodeJudgement } from '../../coordinator/figures/findings/node-judgement.ts';
import { type StoredTask, taskJudgement, warningFinding } from '../../coordinator/figures/findings/task-judgement.ts';

interface EndedRun {
  /** The results of each quick_mark, in order. */
  judged: readonly QuickMarkResults[];
  /** Of the run itself. */
  warnings: readonly string[];
  /** As the coordinator is told. */
  state: Extract<StoredTask['state'], 'completed' | 'failed' | 'aborted'>;
  message: string | null;
}

/** The judgement of this machine, as the coordinator has it of the same results; a job may measure it more than once. */
export const judgeRun = ({ judged, warnings, state, message }: EndedRun): Judgement =>
  taskJudgement({
    state,
    failed_message: message,
    warnings,
    judgement: judged.length === 0 ? null : sameNode(judged.map(nodeJudgement)),
    device_ids: judged[0]?.test_results.map(({ gpu_id }) => gpu_id) ?? [],
  });

/**
 * Every problem of a run as a sentence, for scripts: the warnings of the run itself, then what was found of the machine. How the
 * run ended is its outcome.
 */
export function problemSentences(
  warnings: readonly string[],
  { findings }: Judgement,
  devices: readonly { device_id: string; vendor: string }[],
): string[] {
  const ids = [...new Set(devices.map(({ device_id }) => device_id))];
  const told = warnings.map((text) => warningFinding(text, ids));
  const isTold = ({ rule, evidence }: RunFinding): boolean =>
    rule === 'nothing_measured' && told.some((one) => one.devices.length > 0 && evidence.includes(one.evidence));
  const others = findings.filter((finding) => !isOfRun(finding) && !isTold(finding));
  const names = ofOneNode(ids.length, devices[0]?.vendor === 'cpu');
  return [...warnings, ...others.map((finding) => findingSentence(finding, names))];
}

const OF_RUN: ReadonlySet<string> = new Set(['run_warning', 'run_stopped', 'node_failed']);
/** A warning or the end of the run; an unknown rule of a figure is named alike, but with its figure. */
const isOfRun = ({ rule, figures, link }: RunFinding): boolean =>
  OF_RUN.has(rule) && figures.length === 0 && link === undefined;
