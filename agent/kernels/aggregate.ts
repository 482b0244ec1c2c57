import type { QuickMarkAggregate, QuickMarkTestResult } from '../../coordinator/contract/quick-mark.ts';

/** Metrics of the aggregate that add up over a node's devices; temperature is the maximum instead. */
const summed = [
  'fp32_tflops',
  'fp16_tflops',
  'bf16_tflops',
  'memory_bandwidth_gbs',
  'power_consumption_watts',
] as const;

/** Null figures of the aggregate say why: metric -> the devices that lack it and their reasons. */
export type AggregateWithReasons = QuickMarkAggregate & { unavailable: Record<string, string> };

/**
 * `quick_mark.aggregate_results` of a node. Where one device lacks a figure, so does the node: a sum over the others would
 * look like a complete and slower machine. With one device the aggregate equals its figures.
 * @throws RangeError for no devices, or for processors mixed with GPUs, which never add up
 */
export function aggregate(results: readonly QuickMarkTestResult[]): AggregateWithReasons {
  if (results.length === 0) throw new RangeError('there are no results to aggregate');
  if (new Set(results.map((result) => result.vendor === 'cpu')).size > 1) {
    throw new RangeError('results of processors and of GPUs cannot be aggregated');
  }
  const sum = (metric: (typeof summed)[number]): number | null =>
    figuresOf(results, metric)?.reduce((total, value) => total + value, 0) ?? null;
  const temperatures = figuresOf(results, 'temperature_centigrade');
  const unavailable = [...summed, 'temperature_centigrade' as const].flatMap((metric) => {
    const missing = results.filter((result) => result[metric] === null);
    const reasons = missing.map((result) => `${result.gpu_id}: ${result.unavailable[metric] ?? 'not measured'}`);
    return reasons.length === 0 ? [] : [[metric, reasons.join('; ')] as const];
  });
  return {
    gpu_id: 'aggregate',
    fp32_tflops: sum('fp32_tflops'),
    fp16_tflops: sum('fp16_tflops'),
    bf16_tflops: sum('bf16_tflops'),
    memory_bandwidth_gbs: sum('memory_bandwidth_gbs'),
    power_consumption_watts: sum('power_consumption_watts'),
    temperature_centigrade: temperatures === null ? null : Math.max(...temperatures),
    unavailable: Object.fromEntries(unavailable),
  };
}

/** The metric of every device, or null when one of them lacks it. */
function figuresOf(
  results: readonly QuickMarkTestResult[],
  metric: (typeof summed)[number] | 'temperature_centigrade',
): number[] | null {
  const figures = results.map((result) => result[metric]).filter((value) => value !== null);
  return figures.length === results.length ? figures : null;
}
