import { arithmeticOf } from '../contract/arithmetic.ts';
import { engineBehind } from './aggregate-engines.ts';
import type { MeasuredFigures } from './judge-devices.ts';
import type { JudgedFigure } from './judge-figure.ts';
import { plainName } from './plain-name.ts';
import { quickMarkMetrics, type QuickMarkMetric, type QuickMarkTestResult } from '../contract/quick-mark.ts';

type Facts = Record<string, unknown>;

/** A device of an upload as the rules read it: how a figure came about stands in its `details`. */
export function judgedDevice(device: QuickMarkTestResult): MeasuredFigures {
  const details = (metric: string): Facts => factsOf(device.details[metric]);
  return {
    device: {
      device_id: device.gpu_id,
      name: plainName(device.gpu_model),
      vendor: device.vendor,
      simulated: device.simulated,
      attributes: details('device'),
    },
    figures: quickMarkMetrics.map((metric) => figureOf(device, metric, details(metric))),
    details,
  };
}

function figureOf(device: QuickMarkTestResult, metric: QuickMarkMetric, details: Facts): JudgedFigure {
  const engine = engineBehind(device, metric);
  const { verified } = details;
  return {
    metric,
    value: device[metric],
    unit: unitOf(metric),
    reason: device.unavailable[metric] ?? null,
    cv: numberOf(factsOf(details['stats'])['cv']),
    verified: typeof verified === 'boolean' ? verified : null,
    core_share: numberOf(details['core_share']),
    engine: engine === 'mixed' ? null : engine,
    arithmetic: arithmeticOf(metric, details),
  };
}

const UNITS: readonly [suffix: string, unit: string][] = [
  ['_tflops', 'TFLOP/s'],
  ['_gbs', 'GB/s'],
  ['_us', 'us'],
  ['_watts', 'W'],
  ['_centigrade', '°C'],
  ['_wh', 'Wh'],
];
const unitOf = (metric: QuickMarkMetric): string => UNITS.find(([suffix]) => metric.endsWith(suffix))?.[1] ?? '';

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const factsOf = (value: unknown): Facts =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Facts) : {};
