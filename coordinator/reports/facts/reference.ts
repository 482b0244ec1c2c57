import { arithmeticOf } from '../../contract/matrix-engine.ts';
import type { Performance } from '../../contract/performance.ts';
import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { besidePeak, healthyWords, shareOfPeak, whyGrey } from '../../figures/reference-words.ts';
import { type CameAbout, isYardstick, referenceOf, sheetPeak } from '../../figures/references.ts';
import { fp32Mode } from '../../figures/gpu-peaks.ts';
import { computedOf, engineOver, loadOver } from './computed.ts';
import { figureOf, type Device } from './devices.ts';
import { printCount, printPercent } from './print-number.ts';

/**
 * What a figure stands beside, in words: other customers' machines of the model where there are enough, else what a healthy card
 * reaches, else the share of the data sheet's peak, which gives no verdict.
 * @param value the median over the devices
 */
export function besideWords(
  devices: readonly Device[],
  metric: QuickMarkMetric,
  value: number,
  performance: Performance | null,
): string {
  const peers = performance?.metrics.find((one) => one.metric === metric && one.basis === 'peers');
  if (peers?.ratio != null)
    return `${printPercent(peers.ratio)} of the median of ${printCount(peers.sample_size, 'other machine')}`;
  const [first] = devices;
  if (first === undefined || first.vendor === 'cpu') return 'no reference for processors';
  const { model } = first;
  if (devices.some((device) => device.model !== model)) return 'cards of several models: no one reference';
  const how = cameAbout(devices, first, metric);
  const reference = referenceOf(model, metric, how);
  const peak = sheetPeak(model, metric, how);
  if (reference !== null && isYardstick(reference)) {
    const healthy = healthyWords(model, metric, how);
    const share = `${printPercent(value / reference.value)} of it`;
    if (healthy === null) return share;
    return peak === null ? `${healthy}: ${share}` : `${besidePeak(value / peak, peak, healthy)}: ${share}`;
  }
  const why = whyGrey(model, metric, how) ?? 'no reference';
  return peak === null ? why : `${shareOfPeak(value / peak, peak)}; no verdict: ${why}`;
}

function cameAbout(devices: readonly Device[], first: Device, metric: QuickMarkMetric): CameAbout {
  const figure = figureOf(first, metric);
  const how = figure === undefined ? null : computedOf(first, figure);
  return {
    engine: engineOver(devices, metric),
    arithmetic: figure === undefined ? null : arithmeticOf(metric, figure.how),
    load: loadOver(devices, metric),
    path: how?.path ?? null,
    mode: fp32Mode(how?.mode),
  };
}
