import type { ExitError, ExitReason } from './exit-error.ts';
import { exitCodes } from './exit-error.ts';
import { isStopSignal } from './stop-request.ts';
import type { RunSummary } from './run-summary.ts';

/** What is known of the run so far; becomes the summary, whatever happens. */
export interface RunRecord extends Omit<RunSummary, 'type' | 'schema' | 'outcome' | 'exit_code' | 'seconds' | 'error'> {
  started_elapsed_ms: number;
  planned: boolean;
  /** How a run ends whose measuring failed: the runner broke, or every device was taken or lost. */
  failure_reason: Extract<ExitReason, 'kernel' | 'no_device'>;
  /** What to do about it, if the runner says so. */
  failure_remedy: string | null;
  /** The runner broke while links were measured: what the run ends with once everything else is delivered. */
  network_failure: ExitError | null;
  /** A figure is below what --require asks for. */
  below_thresholds: boolean;
}

/** The summary of a run that ended well (`error` null) or by an error. */
export function summarise(record: RunRecord, error: ExitError | null, elapsedMs: number): RunSummary {
  const { started_elapsed_ms, planned, below_thresholds, failure_reason: _, failure_remedy: __, ...known } = record;
  const { network_failure: ___, ...facts } = known;
  const ending = below_thresholds ? 'thresholds' : hasWarnings(record) ? 'warnings' : 'ok';
  const reason: ExitReason = error?.reason ?? ending;
  return {
    type: 'summary',
    schema: 'gpumark.summary/1',
    outcome: planned ? 'planned' : outcomeOf(reason),
    exit_code: exitCodes[reason],
    seconds: Number(((elapsedMs - started_elapsed_ms) / 1000).toFixed(2)),
    ...facts,
    error: error === null ? null : { message: error.message, remedy: error.remedy },
  };
}

/** How a cluster_network ended is known to the coordinator, which said it: no warning of this node's, and no good end either. */
const hasWarnings = ({ network, warnings }: RunRecord): boolean =>
  warnings.length > 0 || network.some(({ outcome }) => outcome !== 'completed');

function outcomeOf(reason: ExitReason): RunSummary['outcome'] {
  if (reason === 'ok') return 'completed';
  if (reason === 'warnings' || reason === 'thresholds') return 'completed_with_warnings';
  return isStopSignal(reason) ? 'aborted' : 'failed';
}
