import type { ExitError, ExitReason } from '../cli/exit-error.ts';
import { exitCodes } from '../cli/exit-error.ts';
import { isStopSignal } from './stop-request.ts';
import type { RunSummary } from '../ui/run-summary.ts';

/** What is known of the run so far; becomes the summary, whatever happens. */
export interface RunRecord extends Omit<RunSummary, 'type' | 'schema' | 'outcome' | 'exit_code' | 'seconds' | 'error'> {
  started_elapsed_ms: number;
  planned: boolean;
  /** How a run ends whose measuring failed: the runner broke, or every device was taken or lost. */
  failure_reason: Extract<ExitReason, 'kernel' | 'no_device'>;
  /** What to do about it, where the runner says so. */
  failure_remedy: string | null;
}

/** The summary of a run that ended well (`error` null) or by an error. */
export function summarise(record: RunRecord, error: ExitError | null, elapsedMs: number): RunSummary {
  const { started_elapsed_ms, planned, failure_reason: _, failure_remedy: __, ...facts } = record;
  const reason: ExitReason = error?.reason ?? (record.warnings.length > 0 ? 'warnings' : 'ok');
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

function outcomeOf(reason: ExitReason): RunSummary['outcome'] {
  if (reason === 'ok') return 'completed';
  if (reason === 'warnings') return 'completed_with_warnings';
  return isStopSignal(reason) ? 'aborted' : 'failed';
}
