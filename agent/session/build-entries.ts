import type { RunContext } from '../run/run-context.ts';
import { bounded } from './measure-sequence.ts';
import type { MeasuredBenchmark } from './measure-sequence.ts';
import type { Registrant } from './register.ts';
import type { SpoolEntry } from '../state/spool-entry.ts';
import { cutWords } from '../../coordinator/figures/cut-words.ts';

/** One spool entry per benchmark; the last one says how the run ended. */
export function buildEntries(
  context: RunContext,
  coordinator: string,
  token: string,
  task: SpoolEntry['task'],
  registrant: Registrant,
  results: MeasuredBenchmark[],
): SpoolEntry[] {
  const saved_at = new Date(context.host.clock.now()).toISOString();
  return results.map((result, index) => ({
    saved_at,
    coordinator,
    token,
    task,
    registrant,
    result,
    ending: index === results.length - 1 ? endingOf(context, results) : null,
  }));
}

function endingOf(context: RunContext, results: MeasuredBenchmark[]): SpoolEntry['ending'] {
  const { stop, record } = context;
  if (stop.by !== null) return { kind: 'fail', state: 'aborted', message: stop.message ?? 'stopped' };
  const failures = results.filter((result) => result.state === 'failed');
  if (failures.length === 0 && record.health_failure !== null)
    return { kind: 'fail', state: 'failed', message: cutWords(record.health_failure.message, 2000) };
  if (failures.length === 0) return { kind: 'complete', warnings: bounded(record.warnings) };
  const message = failures.map((result) => `${result.benchmark_id}: ${result.error_message ?? 'failed'}`).join('; ');
  return { kind: 'fail', state: 'failed', message: cutWords(message, 2000) };
}
