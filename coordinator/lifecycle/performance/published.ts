import { certain } from '../../figures/gpu-peak.ts';
import { gpuPeak } from '../../figures/gpu-peaks.ts';
import { floorOf } from '../../figures/healthy-shares.ts';
import { pcieBand, specBand } from '../../figures/plausibility.ts';
import type { KeyMetric, ModelFigures } from './node-figures.ts';

type Model = Pick<ModelFigures, 'gpu_vendor' | 'gpu_model' | 'bf16_engine'>;

const peakOf = ({ gpu_vendor, gpu_model }: Model) => (gpu_vendor === 'cpu' ? null : gpuPeak(gpu_model));

/** A healthy part does not reach its published peak, so the peak comes with the share that one does reach. */
export function publishedFigure(metric: KeyMetric, model: Model): { expected: number; floor: number } | null {
  const peak = peakOf(model);
  if (!peak) return null;
  if (metric !== 'bf16_tflops' && metric !== 'memory_bandwidth_gbs') return null;
  const expected = certain(peak, metric);
  const engine = model.bf16_engine === 'mixed' ? null : model.bf16_engine;
  return expected === null ? null : { expected, floor: floorOf(peak, metric, metric, { engine }).share };
}

/** The median of peers, limited to the published band: no peers can move an expectation out of it. */
export function withinPublished(metric: KeyMetric, median: number, model: Model): number {
  const peak = peakOf(model);
  if (!peak) return median;
  if (metric === 'bf16_tflops' || metric === 'memory_bandwidth_gbs') {
    const engine = model.bf16_engine === 'mixed' ? null : model.bf16_engine;
    const band = specBand(peak, metric, { engine, mode: null, path: null });
    return band === null ? median : Math.min(Math.max(median, band.low), band.high);
  }
  // The published rate of a link is its maximum: cards are also in slower slots, which the median of many can show.
  const link = peak.pcie === null ? null : pcieBand(model.gpu_model, peak, peak.pcie);
  return link === null ? median : Math.min(median, link.high);
}
