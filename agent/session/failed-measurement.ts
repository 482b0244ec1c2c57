import { ExitError } from '../run/exit-error.ts';
import type { RunContext } from '../run/run-context.ts';
import type { MeasuredBenchmark } from './measure-sequence.ts';

const REMEDIES = {
  kernel: 'Run gpumark-agent doctor; what was measured is shown above.',
  no_device: 'See with nvidia-smi or rocm-smi what else uses the cards, end that, and measure again.',
} as const;

/** The final error of a run with a failed benchmark; null if none failed. */
export function failedMeasurement(context: RunContext, results: readonly MeasuredBenchmark[]): ExitError | null {
  const failed = results.find((result) => result.state === 'failed');
  if (failed === undefined) return null;
  const { failure_reason: reason, failure_remedy } = context.record;
  return new ExitError(reason, failed.error_message ?? 'the benchmark failed', failure_remedy ?? REMEDIES[reason]);
}
