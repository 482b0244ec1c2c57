import { z } from 'zod';
import {
  type Arithmetic,
  arithmeticName,
  arithmeticOf,
  type EngineMark,
  isGemmMetric,
  matrixEngine,
} from '../../contract/matrix-engine.ts';
import { burstFigure, hasLoadClass, isClass, loadClass, loadOf, type LoadClass } from '../../contract/load-class.ts';
import { atLeast, jointLoad } from '../../figures/compare-loads.ts';
import { jointMark } from '../../figures/compare-engines.ts';
import type { Device, Figure } from './devices.ts';

const number = z.number().nullable().catch(null);
const word = z.string().nullable().catch(null);
const reached = z
  .looseObject({ tflops: number, path: word, algorithm: word, library: word, version: word, reason: word })
  .catch({ tflops: null, path: null, algorithm: null, library: null, version: null, reason: null });

/** How a matrix product was computed, according to its record; values that the agent did not record are null. */
const record = z.looseObject({
  engine: matrixEngine.nullable().catch(null),
  path: word,
  algorithm: word,
  mode: word,
  fraction_of_spec_peak: number,
  spec_peak_tflops: number,
  engines: z.looseObject({ vendor: reached, own: reached }).nullable().catch(null),
  achieved_peak: z
    .looseObject({ tflops: number, m: number, n: number, k: number, samples: number, load: loadClass })
    .nullable()
    .catch(null),
  zeros_ratio: number,
  zeros: z.looseObject({ n: number, load: loadClass }).nullable().catch(null),
  load: loadClass.nullable().catch(null),
  burst: burstFigure.nullable().catch(null),
  clock_mhz_mean: number,
  throttle: z.array(z.string()).nullable().catch(null),
  heuristic_first_tflops: number,
  settled: z.boolean().nullable().catch(null),
  drift: z.looseObject({ first_quarter_tflops: number, last_quarter_tflops: number }).nullable().catch(null),
  power: z
    .looseObject({ average_watts: number, p95_watts: number, joules_per_tflop: number, joules_per_product: number })
    .nullable()
    .catch(null),
});
export type Computed = z.infer<typeof record>;

/** Null for a processor, which has one engine and no published rate, for missing figures and for other units. */
export function computedOf(device: Device, figure: Figure): Computed | null {
  if (device.vendor === 'cpu' || figure.value === null || !figure.metric.endsWith('_tflops')) return null;
  const found = record.parse(figure.how);
  return isGemmMetric(figure.metric) ? found : { ...found, engine: null };
}

/** The arithmetic in which one device computed fp32; null for other metrics and if it is unknown. */
function arithmeticBehind(device: Device, metric: string): Arithmetic | null {
  const figure = device.figures.find((one) => one.metric === metric);
  return figure === undefined || figure.value === null ? null : arithmeticOf(metric, figure.how);
}

/** The load class behind a figure of one device; null for metrics without one and if it is unknown. */
function loadBehind(device: Device, metric: string): LoadClass | null {
  const figure = device.figures.find((one) => one.metric === metric);
  return figure === undefined || figure.value === null ? null : loadOf(metric, figure.how);
}

/**
 * What a figure of a device must share with that of another device of its node to be compared: engine, arithmetic, load. A run
 * gives all devices of a node the same time, so that an unknown or brief load is the same for all of them.
 */
export const kindInNode = (device: Device, metric: string): string =>
  `${engineOver([device], metric)} ${arithmeticBehind(device, metric)} ${atLeast(loadBehind(device, metric))}`;

/**
 * Engine, arithmetic and load class behind a metric: figures of nodes, or sums of them, are comparable only if this is equal.
 * Null if their devices mix any, or if the load has no class, which makes their sum comparable with nothing.
 */
export function comparableKind(devices: readonly Device[], metric: string): string | null {
  const engine = engineOver(devices, metric);
  const measured = devices.filter((device) =>
    device.figures.some((figure) => figure.metric === metric && figure.value !== null),
  );
  const [arithmetic = null, ...others] = new Set(measured.map((device) => arithmeticBehind(device, metric)));
  const load = jointLoad(measured.map((device) => loadBehind(device, metric)));
  if (engine === 'mixed' || others.length > 0 || (hasLoadClass(metric) && !isClass(load))) return null;
  return `${engine} ${arithmetic} ${load}`;
}

/** "in TF32", or both if devices differ; null if unknown. */
export function arithmeticWords(devices: readonly Device[], metric: string): string | null {
  const kinds = new Set(devices.flatMap((device) => arithmeticBehind(device, metric) ?? []));
  return kinds.size === 0 ? null : `in ${[...kinds].map(arithmeticName).join(' and ')}`;
}

/** The engine behind a metric over several devices; null if it is unknown or there is only one to choose. */
export function engineOver(devices: readonly Device[], metric: string): EngineMark | null {
  const engines = devices.flatMap((device) => {
    const figure = device.figures.find((one) => one.metric === metric);
    return (figure && computedOf(device, figure)?.engine) ?? [];
  });
  return jointMark(engines);
}

/** The class of load behind a metric, if all devices have the same and it is known. */
export function loadOver(devices: readonly Device[], metric: string): LoadClass | null {
  const loads = new Set(devices.map((device) => loadBehind(device, metric)));
  const [load = null] = loads;
  return loads.size === 1 ? load : null;
}

export const shortEngine: Readonly<Record<EngineMark, string>> = {
  vendor: 'vendor library',
  own: 'own kernels',
  mixed: 'both engines',
};
