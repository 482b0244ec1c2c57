import { aggregateEngines } from './aggregate-engines.ts';
import type { QuickMarkAggregate, QuickMarkTestResult } from '../contract/quick-mark.ts';

/** Metrics that add up over the devices of a node and over the nodes of a job; temperature is the maximum instead. */
export const summedMetrics = [
  'fp32_tflops',
  'fp16_tflops',
  'bf16_tflops',
  'memory_bandwidth_gbs',
  'power_consumption_watts',
] as const;
export const aggregatedMetrics = [...summedMetrics, 'temperature_centigrade'] as const;
export type AggregatedMetric = (typeof aggregatedMetrics)[number];

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
