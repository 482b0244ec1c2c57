import {
  type Arithmetic,
  arithmeticName,
  type EngineMark,
  engineNames,
  isGemmMetric,
} from '../contract/matrix-engine.ts';
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

/** Processors and GPUs never add up. */
export const mixesProcessorsWithGpus = (vendors: readonly string[]): boolean =>
  new Set(vendors.map((vendor) => vendor === 'cpu')).size > 1;

type Part = Record<AggregatedMetric, number | null> &
  Pick<Partial<QuickMarkTestResult>, 'gemm' | 'engine'> &
  Pick<QuickMarkAggregate, 'engines'>;

/**
 * The aggregate over at least one device or node. Where one lacks a figure, so does the aggregate: a sum over the
 * others would look like a complete and slower machine.
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

/** A device of an upload, or the aggregate of a node: both say which engine stands behind which figure. */
interface Computed {
  gemm?: Record<string, { engine: EngineMark; arithmetic?: Arithmetic | undefined }> | undefined;
  engines?: Record<string, EngineMark> | undefined;
  /** of a device whose agent names one engine for all its figures */
  engine?: EngineMark | null | undefined;
}

/** The engine behind one figure of a device or of a node's sum; null if nobody says. */
export function engineBehind(part: Computed, metric: string): EngineMark | null {
  if (!isGemmMetric(metric)) return null;
  return part.gemm?.[metric]?.engine ?? part.engines?.[metric] ?? part.engine ?? null;
}

/**
 * What to say of sums over parts that may have been computed by different engines. Every part is a true throughput, and so
 * is their sum: it stands, since an empty sum would say that a device has no figure. But it is marked `mixed` with a
 * sentence, and nothing compares it. Empty if no part names an engine.
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
  const notes = [...(mixed.length === 0 ? [] : [mixedNote(mixed)]), ...arithmeticNotes(parts)];
  return { engines: Object.fromEntries(engines), ...(notes.length === 0 ? {} : { notes }) };
}

/** Of a sum of fp32 over devices of which some round to TF32 and others do not. */
function arithmeticNotes(parts: readonly Computed[]): string[] {
  const kinds = [...new Set(parts.flatMap((part) => part.gemm?.['fp32_tflops']?.arithmetic ?? []))];
  if (kinds.length < 2) return [];
  const names = kinds.toSorted().map(arithmeticName).join(' and ');
  return [`fp32_tflops: computed in ${names}; the sum holds both and is not to be compared with others`];
}

const mixedNote = (metrics: readonly string[]): string =>
  `${metrics.join(', ')}: measured with ${engineNames.mixed}; the sums hold both and are not to be compared with others`;
