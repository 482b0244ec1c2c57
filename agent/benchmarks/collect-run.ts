import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { EngineChoice } from '../../coordinator/contract/matrix-engine.ts';
import type { Tier } from '../run/run-options.ts';
import { runRunner } from '../kernels/run-runner.ts';
import { RunnerError } from '../kernels/runner-error.ts';
import type { DeviceEvent, RunnerEvent, RunnerEventOf } from '../kernels/runner-events.ts';
import { ReadingLog } from './reading-log.ts';

/** Maximum seconds without a figure or progress. The runner reports progress every few seconds, so only a hang reaches this. */
const DEADLINE_SECONDS: Record<Tier, number> = { quick: 300, standard: 3_600, soak: 3_600 };

/** The runner's nice value: heartbeats and Ctrl-C take precedence even while every core is measured. */
const RUNNER_NICE = 5;

/**
 * The runner's oom_score_adj: Linux kills it first if memory runs out (proc_pid_oom_score_adj(5)), before the processes
 * that the machine is there for. In a container whose group is killed as a whole (memory.oom.group, the default of
 * Kubernetes since 1.28) the agent dies with it.
 */
const FIRST_TO_END = '1000';

/** Runner exit codes that are about a device, not a defect of the runner: 4 failed during the run, 5 unusable. */
const DEVICE_CODES: ReadonlySet<number> = new Set([0, 4, 5]);

/** Settings of every runner process in this measurement. */
export interface RunnerSetting {
  runner_path: string;
  tier: Tier;
  engine: EngineChoice;
  /** For the whole node; null = the tier's own time. */
  max_seconds: number | null;
  signal: AbortSignal;
  /** Called with the process id of each runner, for killing it. */
  onStart: (pid: number) => void;
  /** Called with every event of every runner. */
  onRunnerEvent?: (event: RunnerEvent) => void;
}

export interface CollectedRun {
  /** All events except samples, of which there can be many, and progress; then the requested number of telemetry points of each device. */
  events: RunnerEvent[];
  /** Errors reported by the runner, except `interrupted`. */
  errors: RunnerEventOf<'error'>[];
  /**
   * ok · trouble: a device was lost, busy or failed, and the figures so far are valid · broken: the runner itself
   * failed, or a result was wrong
   */
  state: 'ok' | 'trouble' | 'broken';
  /** One sentence if the state is not ok. */
  words: string | null;
  /** What to do if the runner itself failed; the remedies of its reports are in `errors`. */
  remedy: string | null;
}

/**
 * The beginning of a command line that measures `devices`, all at once; the engine option is left out at its default, since older
 * runners lack it.
 */
export const runOf = (devices: readonly Pick<DeviceEvent, 'device_id'>[], { engine }: RunnerSetting): string[] => [
  'run',
  '--device',
  devices.map(({ device_id }) => device_id).join(','),
  ...(engine === 'auto' ? [] : ['--engine', engine]),
];

/**
 * Runs the runner to its end and collects its events. `onEvent` is called with every event as it comes.
 * @param points number of sensor readings to keep of each device, even
 */
export async function collectRun(
  setting: RunnerSetting,
  args: string[],
  timeScale: number,
  onEvent: (event: RunnerEvent) => void,
  points = 0,
): Promise<CollectedRun> {
  const events: RunnerEvent[] = [];
  const readings = new Map<string, ReadingLog>();
  const request = {
    path: setting.runner_path,
    // The option is left out at its default, for runners that lack it.
    args: [...args, '--tier', setting.tier, ...(timeScale === 1 ? [] : ['--time-scale', String(timeScale)])],
    deadline_seconds: DEADLINE_SECONDS[setting.tier],
    cancel_signal: setting.signal,
    on_start: (pid: number) => {
      yieldToOthers(pid);
      setting.onStart(pid);
    },
  };
  let failure: RunnerError | null = null;
  try {
    for await (const event of runRunner(request)) {
      if (event.event === 'telemetry') logOf(readings, event.device_id, points).add(event);
      else if (event.event !== 'sample' && event.event !== 'progress') events.push(event);
      setting.onRunnerEvent?.(event);
      onEvent(event);
    }
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    // Stopped by us before it could report: not a defect.
    if (!(setting.signal.aborted && error.code === 'crashed')) failure = error;
  }
  return judged([...events, ...[...readings.values()].flatMap((log) => log.points())], failure);
}

function logOf(logs: Map<string, ReadingLog>, deviceId: string, points: number): ReadingLog {
  const log = logs.get(deviceId) ?? new ReadingLog(points);
  logs.set(deviceId, log);
  return log;
}

function judged(events: RunnerEvent[], failure: RunnerError | null): CollectedRun {
  const errors = events.filter((event) => event.event === 'error').filter((event) => event.code !== 'interrupted');
  const summary = events.findLast((event) => event.event === 'summary');
  // From 128 up: stopped by a signal, which is not the device's fault.
  const code = summary === undefined || summary.exit_code >= 128 ? 0 : summary.exit_code;
  const sentences = [...saidOnce(errors.map((error) => error.message)), ...(failure === null ? [] : [failure.message])];
  const words = sentences.length === 0 ? 'the runner reports a failure without a reason' : sentences.join('; ');
  const remedy = failure?.remedy ?? null;
  if (failure !== null || !DEVICE_CODES.has(code)) return { events, errors, state: 'broken', words, remedy };
  if (code !== 0 || errors.length > 0) return { events, errors, state: 'trouble', words, remedy };
  return withoutTrouble(events);
}

export const withoutTrouble = (events: RunnerEvent[]): CollectedRun => ({
  events,
  errors: [],
  state: 'ok',
  words: null,
  remedy: null,
});

function yieldToOthers(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, FIRST_TO_END);
  } catch {
    // The runner has already ended, or /proc cannot be written.
  }
  try {
    // If the agent was started with an even lower priority, the runner keeps that.
    if (getPriority(pid) < RUNNER_NICE) setPriority(pid, RUNNER_NICE);
  } catch {
    // The runner has already ended.
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
