import type { Judgement } from '../../coordinator/contract/judgement.ts';
import type { QuickMarkResults } from '../../coordinator/contract/quick-mark.ts';
import type { ExitError, ExitReason } from './exit-error.ts';
import { exitCodes } from './exit-error.ts';
import { judgeRun, problemSentences } from './judge-run.ts';
import { isStopSignal } from './stop-request.ts';
import type { RunSummary } from './run-summary.ts';

type Computed = 'type' | 'schema' | 'outcome' | 'exit_code' | 'seconds' | 'judgement' | 'error';

/** The state of the run so far; becomes the summary, whatever happens. */
export interface RunRecord extends Omit<RunSummary, Computed> {
  /** The results of each quick_mark. */
  judged: QuickMarkResults[];
  /** Why a benchmark failed, as the coordinator is told. */
  failures: string[];
  started_elapsed_ms: number;
  planned: boolean;
  /** Exit reason of a run whose measurement failed: the runner broke, or every device was busy or lost. */
  failure_reason: Extract<ExitReason, 'kernel' | 'no_device'>;
  /** The runner's remedy, if any. */
  failure_remedy: string | null;
  /** Set if the runner broke while links were measured: the run's error once everything else is delivered. */
  network_failure: ExitError | null;
  /** Set if a health rule found something critical: the run's error once its result is delivered. */
  health_failure: ExitError | null;
  /** A figure is below a threshold of --require. */
  below_thresholds: boolean;
}

/**
 * The summary of a run that ended well (`error` null) or by an error.
 * @param stopped in what words somebody asked it to stop
 */
export function summarise(
  record: RunRecord,
  error: ExitError | null,
  elapsedMs: number,
  stopped: string | null = null,
): RunSummary {
  const { started_elapsed_ms, planned, below_thresholds, failure_reason: _, failure_remedy: __, ...known } = record;
  const { network_failure: ___, health_failure: ____, judged, failures, warnings, ...facts } = known;
  const isStopped = stopped !== null && error !== null;
  const message = isStopped ? stopped : failures.join('; ') || null;
  const state = isStopped ? 'aborted' : message === null ? 'completed' : 'failed';
  const judgement = judgeRun({ judged, warnings, state, message });
  const ending = below_thresholds ? 'thresholds' : hasWarnings(record, judgement) ? 'warnings' : 'ok';
  const reason: ExitReason = error?.reason ?? ending;
  return {
    type: 'summary',
    schema: 'gpumark.summary/1',
    outcome: planned ? 'planned' : outcomeOf(reason),
    exit_code: exitCodes[reason],
    seconds: Number(((elapsedMs - started_elapsed_ms) / 1000).toFixed(2)),
    ...facts,
    judgement,
    warnings: problemSentences(warnings, judgement, facts.devices),
    error: error === null ? null : { message: error.message, remedy: error.remedy },
  };
}

/**
 * The end of a cluster_network comes from the coordinator: it is not a warning of this node, but the run did not end
 * well either.
 */
const hasWarnings = ({ network }: RunRecord, { verdict }: Judgement): boolean =>
  verdict.bad + verdict.check > 0 || network.some(({ outcome }) => outcome !== 'completed');

function outcomeOf(reason: ExitReason): RunSummary['outcome'] {
  if (reason === 'ok') return 'completed';
  if (reason === 'warnings' || reason === 'thresholds') return 'completed_with_warnings';
  return isStopSignal(reason) ? 'aborted' : 'failed';
}
