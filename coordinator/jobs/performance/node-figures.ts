import type { QuickMarkTestResult } from '../../contract/quick-mark.ts';

/** What a verdict rests on. The bandwidth of links between nodes joins them once an agent measures it. */
export const keyMetrics = [
  'bf16_tflops',
  'memory_bandwidth_gbs',
  'host_to_device_bandwidth_gbs',
  'device_to_host_bandwidth_gbs',
] as const;
export type KeyMetric = (typeof keyMetrics)[number];
export type Figures = Record<KeyMetric, number | null>;

/** Devices of one model: each figure is their mean, or null where one of them lacks it. */
export interface ModelFigures {
  gpu_vendor: QuickMarkTestResult['vendor'];
  gpu_model: string;
  device_count: number;
  figures: Figures;
}

/**
 * The figures of a node, over the devices of the model it has most of (the first named where two tie). The mean shows
 * one slow device of eight, which a median would hide. Null for a node without devices.
 */
export function nodeFigures(devices: readonly QuickMarkTestResult[]): ModelFigures | null {
  const same = largestGroup(
    devices,
    (device) => `${device.vendor} ${device.gpu_model}`,
    () => 1,
  );
  const first = same[0];
  if (!first) return null;
  const figures = meanFigures(same.map((device) => ({ figures: device, weight: 1 })));
  return { gpu_vendor: first.vendor, gpu_model: first.gpu_model, device_count: same.length, figures };
}

/** The figures of a job: the mean over all devices of the model that most of its devices are. */
export function jobFigures(nodes: readonly ModelFigures[]): ModelFigures | null {
  const same = largestGroup(
    nodes,
    (node) => `${node.gpu_vendor} ${node.gpu_model}`,
    (node) => node.device_count,
  );
  const first = same[0];
  if (!first) return null;
  const weighted = same.map((node) => ({ figures: node.figures, weight: node.device_count }));
  const device_count = same.reduce((count, node) => count + node.device_count, 0);
  return { gpu_vendor: first.gpu_vendor, gpu_model: first.gpu_model, device_count, figures: meanFigures(weighted) };
}

/** Geometric mean of the key figures that are there, and which they are: jobs rank among those with the same set. */
export function rankIndex({ gpu_vendor, gpu_model, figures }: ModelFigures): { group: string; index: number } | null {
  const measured = keyMetrics.flatMap((metric) => {
    const value = figures[metric];
    return value === null ? [] : [{ metric, value }];
  });
  if (measured.length === 0) return null;
  const meanLog = measured.reduce((sum, { value }) => sum + Math.log(value), 0) / measured.length;
  return {
    group: [gpu_vendor, gpu_model, ...measured.map(({ metric }) => metric)].join('|'),
    index: Math.exp(meanLog),
  };
}

function meanFigures(items: readonly { figures: Record<KeyMetric, number | null>; weight: number }[]): Figures {
  const mean = (metric: KeyMetric): number | null => {
    let sum = 0;
    let weights = 0;
    for (const { figures, weight } of items) {
      const value = figures[metric];
      // Zero is no throughput a working device has: it counts as not measured.
      if (value === null || value <= 0) return null;
      sum += value * weight;
      weights += weight;
    }
    return sum / weights;
  };
  return {
    bf16_tflops: mean('bf16_tflops'),
    memory_bandwidth_gbs: mean('memory_bandwidth_gbs'),
    host_to_device_bandwidth_gbs: mean('host_to_device_bandwidth_gbs'),
    device_to_host_bandwidth_gbs: mean('device_to_host_bandwidth_gbs'),
  };
}

function largestGroup<T>(items: readonly T[], keyOf: (item: T) => string, weightOf: (item: T) => number): T[] {
  const weightOfAll = (group: T[]): number => group.reduce((sum, item) => sum + weightOf(item), 0);
  const groups = [...Map.groupBy(items, keyOf).values()];
  return groups.reduce<T[]>((best, group) => (weightOfAll(group) > weightOfAll(best) ? group : best), []);
}
