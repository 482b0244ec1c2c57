import {
  isDeviceMetric,
  quickMarkResults,
  quickMarkTestResult,
  type QuickMarkResults,
  type QuickMarkTestResult,
} from '../../contract/quick-mark.ts';
import { z } from 'zod';
import { figureNames } from '../components/figure-names.ts';
import type { Grade } from '../../contract/judgement.ts';
import { gradedFigures } from '../../figures/findings/device-findings.ts';
import { deviceNames } from '../../figures/device-name.ts';
import type { LoadMark } from '../../contract/load-class.ts';
import { jointLoad, loadBehind } from '../../figures/compare-loads.ts';
import { arithmetic, arithmeticOf, type ArithmeticMark, type EngineMark } from '../../contract/matrix-engine.ts';
import { engineBehind } from '../../figures/aggregate-figures.ts';
import { jointMark } from '../../figures/compare-engines.ts';
import { mean } from '../../figures/statistics.ts';

/** One figure of a device with the data behind it. */
export interface Measured {
  value: number;
  /** sample count; 0: unknown */
  n: number;
  low: number;
  high: number;
  /** of a matrix product; null if unknown */
  engine: EngineMark | null;
  /** of `fp32_tflops`, which has two kinds; null if unknown */
  arithmetic: ArithmeticMark | null;
  /** load class of a product or peak; null if unknown */
  load: LoadMark | null;
}

/** Metrics of one device, in the order in which the task's page shows them. */
export const taskMetrics = figureNames.filter((metric) => metric !== 'gpu_copies_gbs');
/** The subset with fields of their own; runs are compared by these. */
export const shownMetrics = taskMetrics.filter(isDeviceMetric);

const stored = z.looseObject({ test_results: z.array(z.unknown()) });

/** The devices as stored, whether readable or not: their positions are those in the complete result. */
export const storedDevices = (results: unknown): unknown[] => stored.safeParse(results).data?.test_results ?? [];

export type PlacedDevice = QuickMarkTestResult & {
  /** position in the stored result: ids need not be unique */
  place: number;
  /** of each judged figure, by metric */
  grades: Readonly<Record<string, Grade>>;
  /** the same on every surface; the id belongs to the details */
  name: string;
};

/**
 * The devices of a stored quick_mark, without details that no page shows; devices that do not parse are left out.
 */
export function devicesOf(results: unknown): PlacedDevice[] {
  const all = storedDevices(results);
  const names = storedNames(all);
  return all.flatMap((one, place) => {
    const { data: device } = quickMarkTestResult.safeParse(one);
    if (device === undefined) return [];
    const grades = Object.fromEntries(gradedFigures([device]).map(({ metric, grade }) => [metric, grade]));
    return [{ ...device, details: shownDetails(device.details), place, name: names[place] ?? '', grades }];
  });
}

const named = z.looseObject({ vendor: z.string().catch('') });

/** Names of devices as stored, also of those that cannot be read. */
export const storedNames = (devices: readonly unknown[]): string[] =>
  deviceNames(devices.map((one) => named.safeParse(one).data ?? { vendor: '' }));

const run = z.looseObject({
  tier: quickMarkResults.shape.tier.catch(undefined),
  engine_choice: quickMarkResults.shape.engine_choice.catch(undefined),
});

/** The measuring tier of a stored quick_mark, and the engine that was requested. */
export function runOf(results: unknown): Pick<QuickMarkResults, 'tier' | 'engine_choice'> {
  const read = run.safeParse(results).data;
  return { tier: read?.tier, engine_choice: read?.engine_choice };
}

const recorded = z.looseObject({
  value: z.number().nullish().catch(null),
  stats: z.looseObject({ n: z.number(), p5: z.number(), p95: z.number() }).nullish(),
  arithmetic: arithmetic.nullish().catch(null),
});
const facts = z.record(z.string(), z.unknown());

/** Only what is shown: details are most of a result, and a comparison keeps thousands of devices in memory. */
const shownDetails = (details: QuickMarkTestResult['details']): QuickMarkTestResult['details'] =>
  Object.fromEntries(
    shownMetrics.map((metric) => {
      const arithmetic = arithmeticOf(metric, facts.safeParse(details[metric]).data ?? {});
      const load = loadBehind({ details }, metric);
      return [metric, { stats: recorded.safeParse(details[metric]).data?.stats, arithmetic, load }];
    }),
  );

export function measured(device: QuickMarkTestResult, metric: string): Measured | null {
  const { value: alone, stats, arithmetic: told = null } = recorded.safeParse(device.details[metric]).data ?? {};
  // Values that an upload adds outside the fields of the API have not been checked.
  const value = isDeviceMetric(metric) ? device[metric] : alone;
  if (typeof value !== 'number') return null;
  return {
    value,
    n: stats?.n ?? 0,
    low: stats?.p5 ?? value,
    high: stats?.p95 ?? value,
    engine: engineBehind(device, metric),
    arithmetic: device.gemm?.[metric]?.arithmetic ?? told,
    load: loadBehind(device, metric),
  };
}

/**
 * The mean device of a run: means of values and of both ends, the smallest sample count; null if a device lacks the
 * figure.
 */
export function meanMeasured(devices: readonly QuickMarkTestResult[], metric: string): Measured | null {
  const each = devices.map((device) => measured(device, metric));
  const known = each.flatMap((one) => (one === null ? [] : [one]));
  if (known.length === 0 || known.length < each.length) return null;
  return {
    value: mean(known.map(({ value }) => value)),
    n: Math.min(...known.map(({ n }) => n)),
    low: mean(known.map(({ low }) => low)),
    high: mean(known.map(({ high }) => high)),
    engine: joint(known.map(({ engine }) => engine)),
    arithmetic: joint(known.map(({ arithmetic: one }) => one)),
    load: jointLoad(known.map(({ load }) => load)),
  };
}

/** The common mark, or `mixed`; null if one of them is missing. */
function joint<T extends string>(marks: readonly (T | null)[]): T | 'mixed' | null {
  const told = marks.flatMap((mark) => mark ?? []);
  return told.length < marks.length ? null : jointMark(told);
}
