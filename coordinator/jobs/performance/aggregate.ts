import type { QuickMarkAggregate } from '../../contract/quick-mark.ts';

const summed = [
  'fp32_tflops',
  'fp16_tflops',
  'bf16_tflops',
  'memory_bandwidth_gbs',
  'power_consumption_watts',
] as const;

/**
 * A job's aggregate over its nodes': compute, bandwidth and power are sums, temperature the maximum. A figure that one
 * of the nodes lacks is null: a sum over fewer nodes would look like a slow job.
 */
export function aggregateNodes(nodes: readonly QuickMarkAggregate[]): QuickMarkAggregate | null {
  if (nodes.length === 0) return null;
  const sum = (metric: (typeof summed)[number]): number | null =>
    nodes.reduce<number | null>((total, node) => {
      const value = node[metric];
      return total === null || value === null ? null : total + value;
    }, 0);
  const temperatures = nodes.flatMap((node) => node.temperature_centigrade ?? []);
  return {
    gpu_id: 'aggregate',
    fp32_tflops: sum('fp32_tflops'),
    fp16_tflops: sum('fp16_tflops'),
    bf16_tflops: sum('bf16_tflops'),
    memory_bandwidth_gbs: sum('memory_bandwidth_gbs'),
    power_consumption_watts: sum('power_consumption_watts'),
    temperature_centigrade: temperatures.length === nodes.length ? Math.max(...temperatures) : null,
  };
}
