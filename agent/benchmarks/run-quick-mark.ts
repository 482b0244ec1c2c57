import { constants, setPriority } from 'node:os';
import type { QuickMarkResults, QuickMarkTestResult } from '../../coordinator/contract/quick-mark.ts';
import type { Tier } from '../cli/options.ts';
import { aggregate } from '../kernels/aggregate.ts';
import { assembleQuickMark } from '../kernels/assemble-quick-mark.ts';
import { figureOf } from '../kernels/figure-of.ts';
import { runRunner } from '../kernels/run-runner.ts';
import { RunnerError } from '../kernels/runner-error.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import { metricRank } from '../ui/metric-labels.ts';
import type { Emit } from '../ui/run-event.ts';
import type { DeviceSummary } from '../ui/run-summary.ts';
import { deviceWarnings, judgeDevice } from './judge-figures.ts';
import type { Figure } from './judge-figures.ts';
import { showRunnerEvent } from './show-runner-event.ts';

/** Seconds for one device: many times what the tier takes, so that only a hang ends by it. */
const DEADLINE_SECONDS: Record<Tier, number> = { quick: 300, standard: 3_600, soak: 48 * 3_600 };

/** The runner's niceness: heartbeats and Ctrl-C are served first, also while every core is measured. */
const RUNNER_NICE = 5;

export interface QuickMarkInput {
  runner_path: string;
  devices: DeviceEvent[];
  tier: Tier;
  signal: AbortSignal;
  emit: Emit;
  /** 0 to 1 over all devices. */
  onProgress: (share: number) => void;
  /** Process id of each runner, for whoever has to kill it. */
  onStart: (pid: number) => void;
}

export interface QuickMarkOutcome {
  /** Null where no device gave a figure. */
  results: QuickMarkResults | null;
  devices: DeviceSummary[];
  warnings: string[];
  /** What failed, one sentence per device. */
  failures: string[];
}

/**
 * Measures the devices one after the other, each alone. A device that fails does not keep the others from being measured,
 * but it stays among the results, without figures: a node of the others alone would look complete and slower.
 */
export async function runQuickMark(input: QuickMarkInput): Promise<QuickMarkOutcome> {
  const outcome: QuickMarkOutcome = { results: null, devices: [], warnings: [], failures: [] };
  const entries: QuickMarkTestResult[] = [];
  for (const [index, device] of input.devices.entries()) {
    if (input.signal.aborted) {
      entries.push(
        assembleQuickMark([device], device.device_id, 'the run was stopped before this device was measured'),
      );
      continue;
    }
    const { events, failure } = await measureDevice(input, device, index);
    if (failure !== null) {
      outcome.failures.push(`${device.device_id}: ${failure}`);
      outcome.warnings.push(`${device.device_id}: ${failure}`);
    }
    const summary = judgeDevice(device, figuresOf(events, device.device_id));
    outcome.devices.push(summary);
    // A stopped run lacks figures for want of time, which says nothing about the device.
    if (!input.signal.aborted)
      outcome.warnings.push(...deviceWarnings(summary), ...contention(device, events, input.emit));
    entries.push(assembleQuickMark([device, ...events], device.device_id, failure ?? undefined));
  }
  const hasFigures = outcome.devices.some((device) => device.metrics.some((metric) => metric.value !== null));
  if (hasFigures) outcome.results = { test_results: entries, aggregate_results: aggregate(entries) };
  return outcome;
}

async function measureDevice(
  input: QuickMarkInput,
  device: DeviceEvent,
  index: number,
): Promise<{ events: RunnerEvent[]; failure: string | null }> {
  const events: RunnerEvent[] = [];
  const failures: string[] = [];
  const request = {
    path: input.runner_path,
    args: ['run', '--device', device.device_id, '--tier', input.tier],
    deadline_seconds: DEADLINE_SECONDS[input.tier],
    cancel_signal: input.signal,
    on_start: (pid: number) => {
      lowerPriority(pid);
      input.onStart(pid);
    },
  };
  try {
    for await (const event of runRunner(request)) {
      events.push(event);
      showRunnerEvent(event, input.emit);
      if (event.event === 'phase')
        input.onProgress(
          (index + (event.index + (event.state === 'end' ? 1 : 0)) / event.count) / input.devices.length,
        );
      if (event.event === 'error' && event.code !== 'interrupted') failures.push(event.message);
    }
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    failures.push(error.message);
  }
  const wrong = events.some((event) => event.event === 'summary' && event.exit_code !== 0 && event.exit_code < 128);
  const words = wrong && failures.length === 0 ? ['the runner reports a failure without saying which'] : failures;
  return { events, failure: words.length === 0 ? null : words.join('; ') };
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(RUNNER_NICE, constants.priority.PRIORITY_LOW));
  } catch {
    // A runner that has ended already needs no priority.
  }
}

/** A processor shares its cores with everything else: said, but no warning. A card that is in use by others is one. */
function contention(device: DeviceEvent, events: RunnerEvent[], emit: Emit): string[] {
  const summary = events.findLast((event) => event.event === 'summary');
  if (summary?.event !== 'summary' || !summary.contended) return [];
  const ratio =
    summary.contention_ratio === null
      ? ''
      : ` (the work took ${summary.contention_ratio.toFixed(2)} times its undisturbed time)`;
  const message = `${device.device_id} was in use by something else while it was measured${ratio}`;
  emit({
    type: 'notice',
    level: 'warning',
    message,
    remedy: 'Figures may be too low: measure again on a quiet machine.',
  });
  return device.vendor === 'cpu' ? [] : [message];
}

/** The last result of each metric, in the summary's order. */
function figuresOf(events: RunnerEvent[], deviceId: string): Figure[] {
  const figures = new Map<string, Figure>();
  for (const event of events) {
    if (event.event !== 'result' || event.device_id !== deviceId) continue;
    const { metric, value, details } = event;
    const core_share = typeof details['core_share'] === 'number' ? details['core_share'] : null;
    const absence = details['absence'] === 'hardware' || details['absence'] === 'failed' ? details['absence'] : null;
    figures.set(metric, { ...figureOf(event), core_share, absence: value === null ? absence : null });
  }
  return [...figures.values()].toSorted((a, b) => metricRank(a.metric) - metricRank(b.metric));
}
