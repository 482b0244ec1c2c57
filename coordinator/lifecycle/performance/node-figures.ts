import { engineBehind } from '../../figures/aggregate-figures.ts';
import { jointMark } from '../../figures/compare-engines.ts';
import { jointLoad, loadBehind } from '../../figures/compare-loads.ts';
import { isClass, type LoadMark } from '../../contract/load-class.ts';
import type { EngineMark } from '../../contract/matrix-engine.ts';
import { modelKey, plainName } from '../../figures/gpu-peaks.ts';
import type { QuickMarkTestResult } from '../../contract/quick-mark.ts';

/** The metrics that a verdict is based on. The bandwidth of links between nodes does not count. */
export const keyMetrics = [
  'bf16_tflops',
  'memory_bandwidth_gbs',
  'host_to_device_bandwidth_gbs',
  'device_to_host_bandwidth_gbs',
] as const;
/** The key metric that more than one engine can measure. */
const BF16 = 'bf16_tflops';
export type KeyMetric = (typeof keyMetrics)[number];
export type Figures = Record<KeyMetric, number | null>;

/** What a customer's machines of the model reach: the median of each figure, and how many machines have it. */
export interface CustomerVote {
  customer_id: string;
  figures: Figures;
  machines: Record<KeyMetric, number>;
  /** machines whose bf16 only the other engine measured */
  bf16_by_other_engine: number;
  /** machines whose bf16 this engine measured, but under another load, or under one that is not known */
  bf16_under_other_load: number;
}

/** Devices of one model: each figure is their mean, or null if one of them lacks it. */
export interface ModelFigures {
  gpu_vendor: QuickMarkTestResult['vendor'];
  gpu_model: string;
  /** the same for every spelling of the model */
  model_key: string;
  device_count: number;
  figures: Figures;
  /** behind the bf16 figure; null if unknown. A mean over both engines is meaningless: this is then `mixed`, the figure null */
  bf16_engine: EngineMark | null;
  /** load class behind the bf16 figure, in which all devices have it; null if unknown, `mixed` if there is none */
  bf16_load: LoadMark | null;
  /** why others are not compared with these figures; null if they are */
  unranked: string | null;
}

/**
 * The figures of a node, over the devices of the model it has most of (the first listed if two tie). The mean shows
 * one slow device of eight, which a median would hide. Null for a node without devices.
 */
export function nodeFigures(devices: readonly QuickMarkTestResult[]): ModelFigures | null {
  const same = largestGroup(
    devices,
    (device) => modelKey(device.vendor, device.gpu_model),
    () => 1,
  );
  const first = same[0];
  if (!first) return null;
  const figures = meanFigures(same.map((device) => ({ figures: device, weight: 1 })));
  const having = same.filter((device) => device.bf16_tflops !== null);
  const named = having.flatMap((device) => engineBehind(device, BF16) ?? []);
  return {
    gpu_vendor: first.vendor,
    gpu_model: plainName(first.gpu_model),
    model_key: modelKey(first.vendor, first.gpu_model),
    device_count: same.length,
    ...byOneEngine(figures, named),
    bf16_load: jointLoad(having.map((device) => loadBehind(device, BF16))),
    unranked: same.find(({ unranked }) => unranked !== undefined)?.unranked ?? null,
  };
}

/** The figures of a node that others can be compared with: each metric that every device passed. Null if there is none. */
export function votingFigures(devices: readonly QuickMarkTestResult[]): ModelFigures | null {
  const node = nodeFigures(
    devices.map((device) => {
      const passed = (metric: KeyMetric): number | null =>
        device.verdicts?.[metric]?.verdict === 'ok' ? device[metric] : null;
      return { ...device, ...eachMetric(passed) };
    }),
  );
  return node === null || node.unranked !== null || keyMetrics.every((metric) => node.figures[metric] === null)
    ? null
    : node;
}

/** The figures of a job: the mean over all devices of its most common model. */
export function jobFigures(nodes: readonly ModelFigures[]): ModelFigures | null {
  const same = largestGroup(
    nodes,
    (node) => node.model_key,
    (node) => node.device_count,
  );
  const first = same[0];
  if (!first) return null;
  const weighted = same.map((node) => ({ figures: node.figures, weight: node.device_count }));
  const device_count = same.reduce((count, node) => count + node.device_count, 0);
  const named = same.flatMap((node) => node.bf16_engine ?? []);
  return {
    gpu_vendor: first.gpu_vendor,
    gpu_model: first.gpu_model,
    model_key: first.model_key,
    device_count,
    ...byOneEngine(meanFigures(weighted), named),
    bf16_load: jointLoad(same.map((node) => node.bf16_load)),
    unranked: same.find(({ unranked }) => unranked !== null)?.unranked ?? null,
  };
}

function byOneEngine(figures: Figures, named: readonly EngineMark[]): Pick<ModelFigures, 'figures' | 'bf16_engine'> {
  const bf16_engine = jointMark(named);
  return { figures: bf16_engine === 'mixed' ? { ...figures, bf16_tflops: null } : figures, bf16_engine };
}

/** Begins the name of every group that ranks by one figure: earlier releases ranked by a mean of several. */
const BY_ONE = 'one';

/**
 * The figure that a job ranks by, and the group that names it: the first key figure that was measured, among jobs whose figure is of
 * the same model by the same engine under the same load. A bf16 without a load class does not count. Null for figures that others
 * are not compared with.
 */
export function rankIndex({
  model_key,
  figures,
  bf16_engine,
  bf16_load,
  unranked,
}: ModelFigures): { group: string; index: number } | null {
  const metric = keyMetrics.find((one) => figures[one] !== null && (one !== BF16 || isClass(bf16_load)));
  const index = metric === undefined ? null : figures[metric];
  if (unranked !== null || metric === undefined || index === null) return null;
  const how = metric === BF16 ? [bf16_engine ?? 'unknown', bf16_load] : [];
  return { group: [BY_ONE, model_key, metric, ...how].join('|'), index };
}

/** The metric that a group ranks by; null for a group of an earlier release. */
export const rankedBy = (group: string): KeyMetric | null =>
  group.startsWith(`${BY_ONE}|`)
    ? (keyMetrics.find((metric) => new RegExp(String.raw`\|${metric}(\|[^|]+){0,2}$`).test(group)) ?? null)
    : null;

function meanFigures(items: readonly { figures: Record<KeyMetric, number | null>; weight: number }[]): Figures {
  const mean = (metric: KeyMetric): number | null => {
    let sum = 0;
    let weights = 0;
    for (const { figures, weight } of items) {
      const value = figures[metric];
      // No working device has a throughput of zero: it counts as not measured.
      if (value === null || value <= 0) return null;
      sum += value * weight;
      weights += weight;
    }
    return sum / weights;
  };
  return eachMetric(mean);
}

export const eachMetric = <T>(of: (metric: KeyMetric) => T): Record<KeyMetric, T> => ({
  bf16_tflops: of('bf16_tflops'),
  memory_bandwidth_gbs: of('memory_bandwidth_gbs'),
  host_to_device_bandwidth_gbs: of('host_to_device_bandwidth_gbs'),
  device_to_host_bandwidth_gbs: of('device_to_host_bandwidth_gbs'),
});

function largestGroup<T>(items: readonly T[], keyOf: (item: T) => string, weightOf: (item: T) => number): T[] {
  const weightOfAll = (group: T[]): number => group.reduce((sum, item) => sum + weightOf(item), 0);
  const groups = [...Map.groupBy(items, keyOf).values()];
  return groups.reduce<T[]>((best, group) => (weightOfAll(group) > weightOfAll(best) ? group : best), []);
}
