import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { computedWords } from './computed.ts';
import { figureOf, type Device } from './devices.ts';
import { metricInfo } from './metrics.ts';
import { hardwareOf, nodeValue, type NodeSummary } from './node-summary.ts';
import { median } from '../../figures/statistics.ts';
import { printCount, printNumber, printPercent } from './print-number.ts';

/** One of the three numbers on the first page. */
export interface Headline {
  label: string;
  value: string;
  unit: string;
  /** spread and count, or why there is no value */
  spread: string;
}

/** Candidates for each headline, in order of preference: what the machine is bought for, then substitutes. */
const choices = (cpu: boolean): QuickMarkMetric[][] => [
  cpu ? ['fp32_tflops'] : ['bf16_tflops', 'fp16_tflops', 'fp32_tflops', 'fp32_cuda_core_tflops'],
  ['memory_bandwidth_gbs'],
  ['power_consumption_watts', 'host_to_device_bandwidth_gbs', 'l2_bandwidth_gbs', 'kernel_launch_overhead_us'],
];

/** The metrics of the first page: for each headline the first candidate that any device has, or else the first. */
export function headlineMetrics(devices: Device[]): QuickMarkMetric[] {
  const hasAny = (metric: QuickMarkMetric): boolean =>
    devices.some((device) => (figureOf(device, metric)?.value ?? null) !== null);
  return choices(hardwareOf(devices) === 'cpu').flatMap((wanted) => wanted.find(hasAny) ?? wanted.slice(0, 1));
}

export const taskHeadlines = (devices: Device[]): Headline[] =>
  headlineMetrics(devices).map((metric) => (devices.length === 1 ? ofOne(devices, metric) : ofMany(devices, metric)));

function ofOne(devices: Device[], metric: QuickMarkMetric): Headline {
  const { label, unit } = metricInfo[metric];
  const figure = devices[0] && figureOf(devices[0], metric);
  if (!figure || figure.value === null) return missing(metric, figure?.reason ?? 'no device was measured');
  if (figure.verified === false) return missing(metric, 'the results were wrong, so the speed does not count');
  const { stats } = figure;
  const spread = stats
    ? `median; p5–p95 ${printNumber(stats.p5)}–${printNumber(stats.p95)}, cv ${printPercent(stats.cv)}, n ${stats.n}`
    : 'one value for the run, no samples';
  return { label, unit, value: printNumber(figure.value), spread: withWords(spread, computedWords(devices, metric)) };
}

const withWords = (spread: string, words: string | null): string => (words === null ? spread : `${spread}; ${words}`);

function ofMany(devices: Device[], metric: QuickMarkMetric): Headline {
  const { label, unit } = metricInfo[metric];
  const sum = nodeValue(devices, metric);
  const values = devices.map((device) => figureOf(device, metric)?.value ?? null).filter((value) => value !== null);
  if (sum === null) {
    const reason = devices.map((device) => figureOf(device, metric)?.reason).find(Boolean) ?? 'no device was measured';
    return missing(
      metric,
      values.length === 0 ? reason : `only ${values.length} of ${devices.length} devices have a valid figure`,
    );
  }
  const spread = `sum of ${devices.length} devices; each ${printNumber(Math.min(...values))}–${printNumber(Math.max(...values))}`;
  return { label, unit, value: printNumber(sum), spread: withWords(spread, computedWords(devices, metric)) };
}

/** Per node: the median over the nodes that have the figure, with the smallest and largest. */
export function jobHeadlines(nodes: NodeSummary[]): Headline[] {
  return headlineMetrics(nodes.flatMap(({ devices }) => devices)).map((metric) => {
    const values = nodes.map(({ devices }) => nodeValue(devices, metric)).filter((value) => value !== null);
    if (values.length === 0) return missing(metric, 'no node has a valid figure');
    const { label, unit } = metricInfo[metric];
    const range = `${printNumber(Math.min(...values))}–${printNumber(Math.max(...values))}`;
    const spread = `per node: median of ${printCount(values.length, 'node')}, range ${range}`;
    const words = computedWords(
      nodes.flatMap(({ devices }) => devices),
      metric,
    );
    return { label, unit, value: printNumber(median(values)), spread: withWords(spread, words) };
  });
}

const missing = (metric: QuickMarkMetric, reason: string): Headline => ({
  label: metricInfo[metric].label,
  unit: '',
  value: '–',
  spread: `Not available: ${reason}`,
});
