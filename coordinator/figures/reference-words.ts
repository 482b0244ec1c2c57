import type { Performance } from '../contract/performance.ts';
import { isClass, loadName } from '../contract/load-class.ts';
import { engineNames } from '../contract/matrix-engine.ts';
import { gpuPeak } from './gpu-peaks.ts';
import { type CameAbout, isYardstick, referenceOf } from './references.ts';

/** `a healthy H100 SXM reaches 677`; null if no card of the model was measured like this. */
export function healthyWords(model: string, metric: string, how: CameAbout): string | null {
  const reference = referenceOf(model, metric, how);
  if (reference === null || reference.basis !== 'measured') return null;
  return `a healthy ${shortName(model)} reaches ${printed(reference.value)}`;
}

/** `71 % of the data-sheet peak (989); a healthy H100 SXM reaches 677` */
export const besidePeak = (share: number, peak: number, healthy: string | null): string =>
  [shareOfPeak(share, peak), ...(healthy === null ? [] : [healthy])].join('; ');

/** `71 % of the data-sheet peak (989)`; no card reaches its peak, so this is neither a comparison nor a verdict. */
export const shareOfPeak = (share: number, peak: number): string =>
  `${(share * 100).toFixed(0)} % of the data-sheet peak (${printed(peak)})`;

/** Why a figure has no verdict from a reference, as a sentence without its full stop; null if it has one. */
export function whyGrey(model: string, metric: string, how: CameAbout): string | null {
  const reference = referenceOf(model, metric, how);
  if (reference !== null && isYardstick(reference)) return null;
  const asked = { ...how, engine: 'vendor', load: 'sustained' } as const;
  if (reference !== null && referenceOf(model, metric, asked)?.basis === 'measured')
    return `healthy cards of this model were measured with ${engineNames.vendor} under sustained load, and this figure ${howWords(how)}`;
  if (reference?.basis === 'published')
    return `no healthy card has been measured by us; the best of many shapes that others published is ${printed(reference.value)}`;
  return reference === null
    ? 'neither a healthy card nor a data sheet is known for it'
    : "only the data sheet's peak is known for this model; no healthy card has been measured by us";
}

function howWords({ engine, load }: CameAbout): string {
  const by =
    engine === 'vendor' ? '' : engine === null ? 'with an engine that was not recorded' : `with ${engineNames[engine]}`;
  const under = isClass(load) && load !== 'burst' ? '' : loadName(load);
  return [by, under].filter((words) => words !== '').join(', ');
}

/** The model as its maker's sheet calls it. */
const shortName = (model: string): string => gpuPeak(model)?.name ?? model;

/** Whole numbers from 100 on, three digits below. */
export const printed = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));

type Compared = Performance['metrics'][number];

/** The figure that decides: the worst ratio to peers or to what healthy cards reach; null if there is none to compare with. */
export function worstOf(metrics: readonly Compared[]): { metric: string; ratio: number; of: number } | null {
  const judged = metrics.flatMap(({ metric, ratio, basis }) =>
    ratio !== null && (basis === 'peers' || basis === 'reference') ? [{ metric, ratio }] : [],
  );
  const [worst] = judged.toSorted((a, b) => a.ratio - b.ratio);
  return worst === undefined ? null : { ...worst, of: judged.length };
}
