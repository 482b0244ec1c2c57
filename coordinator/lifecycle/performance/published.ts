import { gpuPeak } from '../../figures/gpu-peaks.ts';
import { pcieBand, specBand } from '../../figures/plausibility.ts';
import type { KeyMetric, ModelFigures } from './node-figures.ts';

type Model = Pick<ModelFigures, 'gpu_vendor' | 'gpu_model' | 'bf16_engine' | 'bf16_load'>;

/** The median of peers, limited to the published band: no peers can move an expectation out of it. */
export function withinPublished(metric: KeyMetric, median: number, model: Model): number {
  const { gpu_vendor, gpu_model, bf16_engine, bf16_load: load } = model;
  const peak = gpu_vendor === 'cpu' ? null : gpuPeak(gpu_model);
  if (!peak) return median;
  if (metric === 'bf16_tflops' || metric === 'memory_bandwidth_gbs') {
    const engine = bf16_engine === 'mixed' ? null : bf16_engine;
    const band = specBand(peak, gpu_model, metric, { engine, load, mode: null, path: null });
    return band === null ? median : Math.min(Math.max(median, band.low), band.high);
  }
  // The published rate of a link is its maximum: cards are also in slower slots, which the median of many can show.
  const link = peak.pcie === null ? null : pcieBand(gpu_model, peak, peak.pcie);
  return link === null ? median : Math.min(median, link.high);
}
