import type { LoadMark } from '../contract/load-class.ts';
import { isGemmMetric, type ArithmeticMark, type EngineMark } from '../contract/matrix-engine.ts';
import type { Reference } from '../contract/reference.ts';
import { atLeast } from './compare-loads.ts';
import { limitsOf, type Comparison } from './comparison-limits.ts';
import { certain, type GpuPeak, type PeakFigure } from './gpu-peak.ts';
import { type Fp32Mode, gpuPeak, peakFigure } from './gpu-peaks.ts';
import { measuredCards, publishedRuns, PUBLISHED_SOURCE } from './measured-cards.ts';
import { floorOf } from './sheet-floors.ts';

/** How a figure came about, as far as it decides what it is compared with. Null: unknown. */
export interface CameAbout {
  engine: EngineMark | null;
  /** of `fp32_tflops`, which runs on different units */
  arithmetic: ArithmeticMark | null;
  load: LoadMark | null;
  /** the runner's name of the instructions of an fp64 product */
  path?: string | null;
  /** of `fp32_tflops`, if it is known better than by its arithmetic */
  mode?: Fp32Mode | null;
}

/** What the machines of other customers reach, if they are enough to show what is usual. */
export interface CustomersMedian {
  median: number;
  customers: number;
  machines: number;
}

/** A figure this far below what is usual is low, unless healthy cards are further apart. */
export const UNDERPERFORMING_BELOW = 0.95;

/**
 * What a figure is held to: the median of other customers, else what healthy cards of the model reached in our own runs, each by
 * the same engine, in the same arithmetic, under the same load; else, without a verdict, what others published or the data sheet's
 * peak. Null for a model and a figure of which nothing is known.
 * @param model as the driver reports it, of a whole card
 */
export function referenceOf(
  model: string,
  metric: string,
  how: CameAbout,
  customers: CustomersMedian | null = null,
): Reference | null {
  if (customers !== null) return ofCustomers(metric, how, customers);
  const peak = gpuPeak(model);
  return peak === null
    ? null
    : (measuredOf(peak, metric, how) ?? publishedOf(peak, metric, how) ?? sheetOf(peak, metric, how));
}

/** Whether a figure can be good or low beside it: not beside a bare peak or a run of another program. */
export const isYardstick = ({ basis }: Reference): boolean => basis === 'customers' || basis === 'measured';

function ofCustomers(metric: string, { load }: CameAbout, { median, customers, machines }: CustomersMedian): Reference {
  const source = `median of ${customers} customers with ${machines} machines of the model`;
  return { ...around(median, metric, load, 'votes'), cards: machines, source, basis: 'customers' };
}

function measuredOf(peak: GpuPeak, metric: string, how: CameAbout): Reference | null {
  const known = measuredCards.find(({ model }) => model === peak.name);
  const real = unitsOf(metric, how);
  if (known === undefined) return null;
  const isLike = how.engine === 'vendor' && atLeast(how.load) === 'sustained';
  const value = known.steady[real] ?? (isLike && isOnMatrixUnits(peak, real, how) ? known.library[real] : undefined);
  if (value === undefined) return null;
  const { cards, source } = known;
  return { ...around(value, metric, how.load, 'two'), cards, source, basis: 'measured' };
}

/** The library's fp64 runs on the matrix units; one on the lanes has half the rate. */
const isOnMatrixUnits = (peak: GpuPeak, metric: string, { path = null }: CameAbout): boolean =>
  metric !== 'fp64_tflops' || peakFigure(peak, metric, { path, mode: null }) === 'fp64_matrix_tflops';

function publishedOf(peak: GpuPeak, metric: string, how: CameAbout): Reference | null {
  const real = unitsOf(metric, how);
  const run = publishedRuns.find((one) => one.models.includes(peak.name) && one.metric === real);
  const sheet = how.engine === 'vendor' ? sheetOf(peak, metric, how) : null;
  if (run === undefined || sheet === null) return null;
  return { ...sheet, value: run.tflops, source: PUBLISHED_SOURCE, basis: 'published' };
}

function sheetOf(peak: GpuPeak, metric: string, how: CameAbout): Reference | null {
  const figure = columnOf(peak, metric, how);
  const value = figure === null ? null : certain(peak, figure);
  if (figure === null || value === null) return null;
  const engine = how.engine === 'mixed' ? null : how.engine;
  const { share, source } = floorOf(peak, figure, { engine, metric: unitsOf(metric, how) });
  return {
    value,
    low: share * value,
    high: null,
    cards: 0,
    source: `${peak.source}; the floor: ${source}`,
    basis: 'sheet',
  };
}

/** The peak on the data sheet of the units that a figure ran on; null if there is none, or sheets contradict each other. */
export function sheetPeak(model: string, metric: string, how: CameAbout): number | null {
  const peak = gpuPeak(model);
  const figure = peak === null ? null : columnOf(peak, metric, how);
  return peak === null || figure === null ? null : certain(peak, figure);
}

function columnOf(peak: GpuPeak, metric: string, how: CameAbout): PeakFigure | null {
  if (metric === 'memory_bandwidth_gbs') return metric;
  return peakFigure(peak, metric, { mode: modeOf(metric, peak, how), path: how.path ?? null });
}

/** `fp32_tflops` is the product of the units that it ran on. */
function unitsOf(metric: string, { arithmetic, mode = null }: CameAbout): string {
  if (metric !== 'fp32_tflops') return metric;
  return mode === 'tf32' || (mode === null && arithmetic === 'tf32') ? 'tf32_tflops' : 'fp32_ieee_tflops';
}

/** AMD's matrix units compute IEEE fp32 too, which the arithmetic alone does not tell from the lanes. */
function modeOf(metric: string, { vendor }: GpuPeak, { arithmetic, mode = null }: CameAbout): Fp32Mode | null {
  if (mode !== null || (metric !== 'fp32_tflops' && metric !== 'fp32_ieee_tflops')) return mode;
  if (metric === 'fp32_tflops' && arithmetic === 'tf32') return 'tf32';
  return vendor === 'nvidia' && (metric === 'fp32_ieee_tflops' || arithmetic === 'ieee fp32') ? 'simt' : null;
}

/** Healthy figures lie this far around a value at most, by the spread of cards of one model. */
function around(value: number, metric: string, load: LoadMark | null, comparison: Comparison) {
  const behind = limitsOf(metric, isGemmMetric(metric) ? load : null, comparison).warn;
  const floor = Number(Math.min(UNDERPERFORMING_BELOW, 1 - behind).toFixed(2));
  const rounded = (share: number): number => Number((share * value).toPrecision(6));
  return { value, low: rounded(floor), high: rounded(2 - floor) };
}
