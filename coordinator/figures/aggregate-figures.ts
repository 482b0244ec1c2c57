import {
  type Arithmetic,
  arithmeticName,
  type EngineMark,
  engineNames,
  isGemmMetric,
} from '../contract/matrix-engine.ts';
import { loadName, type LoadClass } from '../contract/load-class.ts';
import { jointLoad } from './compare-loads.ts';
import { jointMark } from './compare-engines.ts';
import type { QuickMarkAggregate, QuickMarkTestResult } from '../contract/quick-mark.ts';

/** Metrics that add up over the devices of a node and over the nodes of a job; temperature is the maximum instead. */
const summedMetrics = [
  'fp32_tflops',
  'fp16_tflops',
  'bf16_tflops',
  'memory_bandwidth_gbs',
  'power_consumption_watts',
] as const;
export const aggregatedMetrics = [...summedMetrics, 'temperature_centigrade'] as const;
type AggregatedMetric = (typeof aggregatedMetrics)[number];

/** Whether there are both processors and GPUs, whose figures are never added up. */
export const mixesProcessorsWithGpus = (vendors: readonly string[]): boolean =>
  new Set(vendors.map((vendor) => vendor === 'cpu')).size > 1;

type Part = Record<AggregatedMetric, number | null> &
  Pick<Partial<QuickMarkTestResult>, 'gemm' | 'engine'> &
  Pick<QuickMarkAggregate, 'engines'>;

/**
 * The aggregate over one or more devices or nodes. If one of them lacks a figure, so does the aggregate: a sum over the
 * others would look like a complete but slower machine.
 */
export function aggregateFigures(parts: readonly Part[]): QuickMarkAggregate {
  const all = (metric: AggregatedMetric): number[] | null => {
    const figures = parts.flatMap((part) => part[metric] ?? []);
    return figures.length === parts.length ? figures : null;
  };
  const sum = (metric: (typeof summedMetrics)[number]): number | null =>
    all(metric)?.reduce((total, value) => total + value, 0) ?? null;
  const temperatures = all('temperature_centigrade');
  return {
    gpu_id: 'aggregate',
    fp32_tflops: sum('fp32_tflops'),
    fp16_tflops: sum('fp16_tflops'),
    bf16_tflops: sum('bf16_tflops'),
    memory_bandwidth_gbs: sum('memory_bandwidth_gbs'),
    power_consumption_watts: sum('power_consumption_watts'),
    temperature_centigrade: temperatures === null ? null : Math.max(...temperatures),
    ...aggregateEngines(
      parts,
      summedMetrics.filter((metric) => sum(metric) !== null),
    ),
  };
}

/** A device of an upload, or the aggregate of a node: both name the engine behind each figure. */
interface Computed {
  gemm?:
    | Record<string, { engine: EngineMark; arithmetic?: Arithmetic | undefined; load?: LoadClass | undefined }>
    | undefined;
  engines?: Record<string, EngineMark> | undefined;
  /** set if the agent names one engine for all figures of the device */
  engine?: EngineMark | null | undefined;
}

/** The engine behind one figure of a device or of a node's sum; null if unknown. */
export function engineBehind(part: Computed, metric: string): EngineMark | null {
  if (!isGemmMetric(metric)) return null;
  return part.gemm?.[metric]?.engine ?? part.engines?.[metric] ?? part.engine ?? null;
}

/**
 * Engines and notes for sums over parts that may have been computed by different engines. Every part is a true throughput,
 * and so is their sum: it is kept, since an empty sum would mean that a device has no figure. But it is marked `mixed`,
 * explained in a note, and never compared. Empty if no part names an engine.
 */
export function aggregateEngines(
  parts: readonly Computed[],
  metrics: readonly string[],
): { engines?: Record<string, EngineMark>; notes?: string[] } {
  const engines = metrics.flatMap((metric): [string, EngineMark][] => {
    const joint = jointMark(parts.flatMap((part) => engineBehind(part, metric) ?? []));
    return joint === null ? [] : [[metric, joint]];
  });
  if (engines.length === 0) return {};
  const mixed = engines.filter(([, engine]) => engine === 'mixed').map(([metric]) => metric);
  const notes = [
    ...(mixed.length === 0 ? [] : [mixedNote(mixed)]),
    ...arithmeticNotes(parts),
    ...loadNotes(parts, metrics),
  ];
  return { engines: Object.fromEntries(engines), ...(notes.length === 0 ? {} : { notes }) };
}

/** A note on an fp32 sum over devices if some of them round to TF32 and others do not. */
function arithmeticNotes(parts: readonly Computed[]): string[] {
  const kinds = [...new Set(parts.flatMap((part) => part.gemm?.['fp32_tflops']?.arithmetic ?? []))];
  if (kinds.length < 2) return [];
  const names = kinds.toSorted().map(arithmeticName).join(' and ');
  return [`fp32_tflops: computed in ${names}; the sum mixes both and cannot be compared with others`];
}

/** A note on the sum of a product over devices that were under load for different times. */
const loadNotes = (parts: readonly Computed[], metrics: readonly string[]): string[] =>
  metrics.flatMap((metric) => {
    const loads = parts.flatMap(({ gemm }) => (gemm?.[metric] === undefined ? [] : (gemm[metric].load ?? null)));
    if (jointLoad(loads) !== 'mixed') return [];
    const names = [...new Set(loads)].map(loadName).toSorted().join(' and ');
    return [`${metric}: measured ${names}; the sum mixes them and cannot be compared with others`];
  });

const mixedNote = (metrics: readonly string[]): string =>
  `${metrics.join(', ')}: measured with ${engineNames.mixed}; the sums mix both and cannot be compared with others`;
