import { geometricMean } from './statistics.ts';
import type { ArithmeticMark } from '../contract/matrix-engine.ts';
import { gpuPeak, type Fp32Mode } from './gpu-peaks.ts';
import { healthyShare } from './healthy-shares.ts';

/** Shares of a data sheet's peak that healthy cards of a model reach. */
interface Range {
  low: number;
  high: number;
}

/**
 * What healthy cards of the model reach of their sheet; null if it is unknown.
 * @param model as the driver reports it
 * @param arithmetic of `fp32_tflops`, which runs on different units
 */
export function healthyRange(model: string, metric: string, arithmetic: ArithmeticMark | null = null): Range | null {
  const peak = gpuPeak(model);
  return peak === null ? null : healthyShare(peak.name, metric, arithmetic === null ? null : MODES[arithmetic]);
}

const MODES: Readonly<Record<ArithmeticMark, Fp32Mode | null>> = { tf32: 'tf32', 'ieee fp32': 'simt', mixed: null };

/** `71 % of the sheet's 989.4`; no card reaches its peak, so this is neither a comparison nor a verdict. */
export const shareOfSheet = (share: number, peak: string): string => `${percent(share)} % of the sheet's ${peak}`;

/** `65 to 80 %` */
export const rangePercent = ({ low, high }: Range): string => `${percent(low)} to ${percent(high)} %`;

/** `healthy cards 65 to 80 %` */
export const rangeWords = (range: Range): string => `healthy cards ${rangePercent(range)}`;

/** `71 % of the sheet's 989.4; healthy cards 65 to 80 %` */
export const sheetWords = (share: number, peak: string, range: Range | null): string =>
  [shareOfSheet(share, peak), ...(range === null ? [] : [rangeWords(range)])].join('; ');

const percent = (share: number): string => (share * 100).toFixed(0);

interface Compared {
  ratio: number | null;
  basis: 'peers' | 'spec' | 'none';
}

/** The means of the ratios to peers and of the shares of the sheet, which are different things; null without any. */
export function meansByBasis(
  metrics: readonly Compared[],
): Record<'peers' | 'spec', { mean: number; n: number } | null> {
  const meanOf = (basis: Compared['basis']): { mean: number; n: number } | null => {
    const ratios = metrics.flatMap((one) => (one.basis === basis && one.ratio !== null ? [one.ratio] : []));
    return ratios.length === 0 ? null : { mean: geometricMean(ratios), n: ratios.length };
  };
  return { peers: meanOf('peers'), spec: meanOf('spec') };
}
