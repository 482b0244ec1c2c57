import { loadOf } from '../../coordinator/contract/load-class.ts';
import { atLeast } from '../../coordinator/figures/compare-loads.ts';
import { spreadKind } from '../../coordinator/figures/comparison-limits.ts';
import type { DeviceEvent, ResultEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';
import { collectRun, runOf, type CollectedRun, type RunnerSetting } from './collect-run.ts';
import { SPANNING } from './measure-in-pieces.ts';
import type { NodePlan } from './plan-node.ts';
import { isWrong, runOfDevice } from './run-of-device.ts';
import { showRunnerEvent } from './show-runner-event.ts';

/** Only rates have a gap: a lower latency or temperature is not a loss. */
const RATES: ReadonlySet<string> = new Set(['GB/s', 'TFLOP/s']);
/** The cards of a node share its memory and its switches: what a card reaches alone is the headline of these copies. */
const ALONE = new Set(['link']);
const isHeadline = ({ benchmark, value }: ResultEvent): boolean => ALONE.has(benchmark) && value !== null;

/** `gap` = 1 - value / alone, the share that a card loses while the others work as well. */
export interface TogetherFigure {
  value: number;
  alone: number;
  gap: number;
  /** number of samples behind `value` and `alone`; absent if the runner did not report it */
  samples?: number;
  alone_samples?: number;
}

export interface TurnsRun {
  /** device id -> its part, without the samples that are only for the gap */
  runs: Map<string, CollectedRun>;
  /** device id -> metric -> figure; only metrics measured both with all at work and alone */
  figures: Map<string, Record<string, TogetherFigure>>;
}

/**
 * Measures what is short all at once, then each device in turn while the others wait.
 * @param before what each device measured while all worked
 */
export async function measureTurns(
  setting: RunnerSetting,
  devices: readonly DeviceEvent[],
  { briefly, benchmarks: inTurns, tier, time_scale }: NonNullable<NodePlan['turns']>,
  before: ReadonlyMap<string, readonly RunnerEvent[]>,
  emit: Emit,
): Promise<TurnsRun> {
  const figures: TurnsRun['figures'] = new Map();
  const inTurn = new Set<string>();
  const samples = new Set<RunnerEvent>();
  const together = new Map<string, ResultEvent>();
  const keyOf = ({ device_id, metric }: ResultEvent): string => `${device_id}\n${metric}`;
  for (const event of [...before.values()].flat()) if (event.event === 'result') together.set(keyOf(event), event);
  const onEvent = (event: RunnerEvent): void => {
    if (event.event === 'phase') {
      if (event.turn === true) inTurn.add(event.device_id);
      else inTurn.delete(event.device_id);
    }
    if (event.event !== 'result' || !inTurn.has(event.device_id)) {
      if (event.event === 'result') together.set(keyOf(event), event);
      const isShownLater = event.event === 'result' && ALONE.has(event.benchmark);
      if (!isShownLater) showRunnerEvent(event, emit, devices);
      return;
    }
    const { device_id, metric, unit } = event;
    const other = together.get(keyOf(event));
    if (isHeadline(event)) showRunnerEvent(event, emit, devices);
    else samples.add(event);
    const figure = other === undefined ? null : togetherFigure(other, event);
    if (figure === null) return;
    figures.set(device_id, { ...figures.get(device_id), [metric]: figure });
    emit({ type: 'together', device_id, metric, unit, ...figure });
  };
  const args = [
    ...runOf(devices, setting),
    '--benchmarks',
    [...briefly, ...SPANNING].join(','),
    '--turns',
    inTurns.join(','),
  ];
  const run = await collectRun({ ...setting, tier }, args, time_scale, onEvent);
  const runs = devices.map(({ device_id }) => [device_id, partOf(runOfDevice(run, device_id), samples)] as const);
  return { runs: new Map(runs), figures };
}

/** What was measured before stays valid whatever happens here: only a wrong figure fails the run. */
function partOf(run: CollectedRun, samples: ReadonlySet<RunnerEvent>): CollectedRun {
  const events = run.events.filter((event) => !samples.has(event));
  const state = run.state === 'broken' && !isWrong(run.events) ? 'trouble' : run.state;
  return { ...run, events, state };
}

/** Null without both figures, or if the one was under load for longer than the other, as among the cards of a node. */
export function togetherFigure(together: ResultEvent, alone: ResultEvent): TogetherFigure | null {
  if (!RATES.has(together.unit) || together.value === null || together.verified === false) return null;
  if (alone.value === null || alone.verified === false || alone.value <= 0) return null;
  const load = ({ metric, details }: ResultEvent) => atLeast(loadOf(metric, details));
  if (load(together) !== load(alone)) return null;
  // Over so short a time a product differs from itself by as much as cards that share too little power do.
  if (spreadKind(together.metric, load(together)) === 'brief') return null;
  return {
    value: together.value,
    alone: alone.value,
    gap: Number((1 - together.value / alone.value).toFixed(4)),
    ...(together.stats === null ? {} : { samples: together.stats.n }),
    ...(alone.stats === null ? {} : { alone_samples: alone.stats.n }),
  };
}
