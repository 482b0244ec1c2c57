import { arithmeticOf } from '../../contract/matrix-engine.ts';
import type { Performance } from '../../contract/performance.ts';
import { certain } from '../../figures/gpu-peak.ts';
import { gpuPeak, specPeak } from '../../figures/gpu-peaks.ts';
import { healthyRange, rangePercent } from '../../figures/sheet-words.ts';
import { computedOf } from './computed.ts';
import { figureOf, onlyModel, type Device } from './devices.ts';
import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { printCount, printNumber, printPercent } from './print-number.ts';

/**
 * What a figure stands beside, in words: other customers' machines of the model where there are enough, else the share of the
 * data sheet with the range that healthy cards reach, else the share alone, which says little and is no verdict.
 * @param value the median over the devices
 */
export function referenceWords(
  devices: readonly Device[],
  metric: QuickMarkMetric,
  value: number,
  performance: Performance | null,
): string {
  const peers = performance?.metrics.find((one) => one.metric === metric && one.basis === 'peers');
  if (peers?.ratio != null)
    return `${printPercent(peers.ratio)} of the median of ${printCount(peers.sample_size, 'other machine')}`;
  const model = onlyModel(devices);
  if (model === null) return 'cards of several models: no one reference';
  const [first] = devices;
  if (first === undefined || first.vendor === 'cpu') return 'no reference for processors';
  const figure = figureOf(first, metric);
  const how = figure === undefined ? null : computedOf(first, figure);
  const peak = peakOf(model, metric, how);
  if (peak === null) return 'no reference for this model is known';
  const share = `${printPercent(value / peak)} of the data sheet (${printNumber(peak)})`;
  const range = healthyRange(model, metric, figure === undefined ? null : arithmeticOf(metric, figure.how));
  return range === null ? `${share}; no healthy card is known` : `${share}; healthy cards ${rangePercent(range)}`;
}

function peakOf(model: string, metric: string, how: ReturnType<typeof computedOf>): number | null {
  const sheet = gpuPeak(model);
  if (metric === 'memory_bandwidth_gbs') return sheet === null ? null : certain(sheet, metric);
  if (how?.spec_peak_tflops != null) return how.spec_peak_tflops;
  return specPeak(model, metric, { mode: null, path: how?.path ?? null })?.tflops ?? null;
}
