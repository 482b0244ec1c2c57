import { constants, setPriority } from 'node:os';
import type { EngineChoice } from '../../coordinator/contract/matrix-engine.ts';
import type { Tier } from '../run/run-options.ts';
import { runRunner } from '../kernels/run-runner.ts';
import { RunnerError } from '../kernels/runner-error.ts';
import type { RunnerEvent, RunnerEventOf } from '../kernels/runner-events.ts';
import { ReadingLog } from './reading-log.ts';

/** Seconds for one process of the runner: many times what the tier takes, so that only a hang ends by it. */
const DEADLINE_SECONDS: Record<Tier, number> = { quick: 300, standard: 3_600, soak: 48 * 3_600 };

/** The runner's niceness: heartbeats and Ctrl-C are served first, also while every core is measured. */
const RUNNER_NICE = 5;

/** Exit codes of the runner that tell of a device, not of a defect: 4 failed during the run, 5 cannot be used. */
const DEVICE_CODES: ReadonlySet<number> = new Set([0, 4, 5]);

/** What every process of the runner in this measurement is given. */
export interface RunnerSetting {
  runner_path: string;
  tier: Tier;
  engine: EngineChoice;
  /** For the whole node; null = the tier's own time. */
  max_seconds: number | null;
  signal: AbortSignal;
  /** Process id of each runner, for killing it. */
  onStart: (pid: number) => void;
}

export interface CollectedRun {
  /** Without samples, which can be many; of the telemetry the points that were asked for, last. */
  events: RunnerEvent[];
  /** What the runner said went wrong; not that it was stopped. */
  errors: RunnerEventOf<'error'>[];
  /**
   * ok · trouble: a device was lost, taken or failed, and what was measured stands · broken: the runner itself failed, or
   * a result was wrong
   */
  state: 'ok' | 'trouble' | 'broken';
  /** One sentence if the state is not ok. */
  words: string | null;
}

/** The start of a command line that measures `deviceId`; at its default the option is left out, as older runners need it. */
export const runOf = (deviceId: string, { engine }: RunnerSetting): string[] => [
  'run',
  '--device',
  deviceId,
  ...(engine === 'auto' ? [] : ['--engine', engine]),
];

/**
 * Runs the runner to its end and keeps what it said. `onEvent` sees every event as it comes.
 * @param points of the sensors that are kept, an even number; the run is then of one device
 */
export async function collectRun(
  setting: RunnerSetting,
  args: string[],
  timeScale: number,
  onEvent: (event: RunnerEvent) => void,
  points = 0,
): Promise<CollectedRun> {
  const events: RunnerEvent[] = [];
  const readings = new ReadingLog(points);
  const request = {
    path: setting.runner_path,
    // At its own speed the option is left out: runners without it measure all the same.
    args: [...args, '--tier', setting.tier, ...(timeScale === 1 ? [] : ['--time-scale', String(timeScale)])],
    deadline_seconds: DEADLINE_SECONDS[setting.tier],
    cancel_signal: setting.signal,
    on_start: (pid: number) => {
      lowerPriority(pid);
      setting.onStart(pid);
    },
  };
  let failure: string | null = null;
  try {
    for await (const event of runRunner(request)) {
      if (event.event === 'telemetry') readings.add(event);
      else if (event.event !== 'sample') events.push(event);
      onEvent(event);
    }
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    // Stopped by us before it could say so: no defect.
    if (!(setting.signal.aborted && error.code === 'crashed')) failure = error.message;
  }
  return judged([...events, ...readings.points()], failure);
}

function judged(events: RunnerEvent[], failure: string | null): CollectedRun {
  const errors = events.filter((event) => event.event === 'error').filter((event) => event.code !== 'interrupted');
  const summary = events.findLast((event) => event.event === 'summary');
  // Above 128 it was stopped by a signal, which says nothing about the device.
  const code = summary === undefined || summary.exit_code >= 128 ? 0 : summary.exit_code;
  const sentences = [...saidOnce(errors.map((error) => error.message)), ...(failure === null ? [] : [failure])];
  const words = sentences.length === 0 ? 'the runner reports a failure without saying which' : sentences.join('; ');
  if (failure !== null || !DEVICE_CODES.has(code)) return { events, errors, state: 'broken', words };
  if (code !== 0 || errors.length > 0) return { events, errors, state: 'trouble', words };
  return { events, errors, state: 'ok', words: null };
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(RUNNER_NICE, constants.priority.PRIORITY_LOW));
  } catch {
    // A runner that has ended already needs no priority.
  }
}

/** `clock: it failed`, `memory: it failed` -> `clock, memory: it failed`. A dead card fails in every benchmark alike. */
export function saidOnce(sentences: readonly string[]): string[] {
  const parts = sentences.map((sentence) => /^([a-z0-9_]+): (.*)$/s.exec(sentence)?.slice(1) ?? ['', sentence]);
  return [...Map.groupBy(parts, ([, cause]) => cause ?? '')].map(([cause, group]) => {
    const names = [...new Set(group.map(([benchmark]) => benchmark ?? ''))].filter((name) => name !== '');
    return names.length === 0 ? cause : `${names.join(', ')}: ${cause}`;
  });
}
