import { benchmarks } from '../kernels/registry.ts';
import type { DeviceEvent, ResultEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';
import { collectRun } from './collect-run.ts';
import type { CollectedRun, RunnerSetting } from './collect-run.ts';
import { showRunnerEvent } from './show-runner-event.ts';

/** Benchmarks that power, cooling and the host's memory may limit when all cards work. */
const TOGETHER_BENCHMARKS = benchmarks.flatMap(({ id, together }) => (together ? [id] : [])).join(',');

/** Only rates have a gap: a lower latency or temperature is not a loss. */
const RATES: ReadonlySet<string> = new Set(['GB/s', 'TFLOP/s']);

/** `gap` = 1 - value / alone, the share that a card loses while the others work as well. */
export interface TogetherFigure {
  value: number;
  alone: number;
  gap: number;
  /** number of samples behind `value` and `alone`; absent if the runner did not report it */
  samples?: number;
  alone_samples?: number;
}

interface TogetherRun {
  run: CollectedRun;
  /** device id -> metric -> figure; only metrics measured both together and alone. */
  figures: Map<string, Record<string, TogetherFigure>>;
}

/** Measures all `devices` at once, in one process with a barrier before each benchmark. `alone`: each device's own run. */
export async function measureTogether(
  setting: RunnerSetting,
  devices: readonly DeviceEvent[],
  timeScale: number,
  alone: ReadonlyMap<string, readonly RunnerEvent[]>,
  emit: Emit,
): Promise<TogetherRun> {
  const figures: TogetherRun['figures'] = new Map();
  const args = ['run', '--device', devices.map((device) => device.device_id).join(','), '--benchmarks'];
  const run = await collectRun(setting, [...args, TOGETHER_BENCHMARKS], timeScale, (event) => {
    if (event.event !== 'result') {
      showRunnerEvent(event, emit, null);
      return;
    }
    const { device_id, metric } = event;
    const figure = togetherFigure(event, alone.get(device_id) ?? []);
    if (figure === null) return;
    figures.set(device_id, { ...figures.get(device_id), [metric]: figure });
    emit({ type: 'together', device_id, metric, unit: event.unit, ...figure });
  });
  return { run, figures };
}

function togetherFigure(result: ResultEvent, alone: readonly RunnerEvent[]): TogetherFigure | null {
  if (!RATES.has(result.unit) || result.value === null || result.verified === false) return null;
  const own = alone.findLast((event) => event.event === 'result' && event.metric === result.metric);
  if (own?.event !== 'result' || own.value === null || own.verified === false || own.value <= 0) return null;
  return {
    value: result.value,
    alone: own.value,
    gap: Number((1 - result.value / own.value).toFixed(4)),
    ...(result.stats === null ? {} : { samples: result.stats.n }),
    ...(own.stats === null ? {} : { alone_samples: own.stats.n }),
  };
}
