import { saidOnce, withoutTrouble, type CollectedRun } from './collect-run.ts';
import type { RunnerEvent, RunnerEventOf } from '../kernels/runner-events.ts';

/** Exit codes of a run of one device, by what happened to it. */
const EXIT_CODES = { ok: 0, trouble: 4, broken: 6 } as const;

/**
 * One device's part of a run of several, as if it had been a run of its own: the others' events and errors are left out. If the
 * runner itself failed, that concerns all of them.
 */
export function runOfDevice(run: CollectedRun, deviceId: string): CollectedRun {
  const events = run.events.filter((event) => concerns(event, deviceId));
  const errors = run.errors.filter((event) => concerns(event, deviceId));
  const summary = events.findLast((event) => event.event === 'summary');
  const isOfAll = (run.state === 'broken' && summary?.exit_code !== EXIT_CODES.broken) || run.remedy !== null;
  const isUnexplained = run.state !== 'ok' && run.errors.length === 0;
  if (summary === undefined || isOfAll || isUnexplained) return { ...run, events, errors };
  if (errors.length === 0) return withoutTrouble(withExitCode(events, summary, 'ok'));
  const state = isWrong(events) ? 'broken' : 'trouble';
  const words = saidOnce(errors.map((error) => error.message)).join('; ');
  return { events: withExitCode(events, summary, state), errors, state, words, remedy: null };
}

/** A figure did not pass its verification. */
export const isWrong = (events: readonly RunnerEvent[]): boolean =>
  events.some((event) =>
    event.event === 'result'
      ? event.verified === false
      : event.event === 'error' && event.code === 'verification_failed',
  );

const concerns = (event: RunnerEvent, deviceId: string): boolean =>
  !('device_id' in event) || event.device_id === null || event.device_id === deviceId;

/** A run stopped by a signal says so for every device. */
function withExitCode(
  events: RunnerEvent[],
  summary: RunnerEventOf<'summary'>,
  state: keyof typeof EXIT_CODES,
): RunnerEvent[] {
  const exit_code = summary.exit_code >= 128 ? summary.exit_code : EXIT_CODES[state];
  return events.map((event) => (event === summary ? { ...summary, exit_code } : event));
}
