import { certain, type PeakFigure } from '../../figures/gpu-peak.ts';
import { gpuPeak } from '../../figures/gpu-peaks.ts';
import { OWN_MATRIX_FLOOR, pcieBand, specBand } from '../../figures/plausibility.ts';
import type { KeyMetric, ModelFigures } from './node-figures.ts';

type Model = Pick<ModelFigures, 'gpu_vendor' | 'gpu_model' | 'bf16_engine'>;

const peakOf = ({ gpu_vendor, gpu_model }: Model) => (gpu_vendor === 'cpu' ? null : gpuPeak(gpu_model));

/** A healthy part does not reach its published peak, so the peak comes with the share that one does reach. */
export function publishedFigure(metric: KeyMetric, model: Model): { expected: number; floor: number } | null {
  const peak = peakOf(model);
  if (!peak) return null;
  const published = (figure: PeakFigure, floor: number) => {
    const expected = certain(peak, figure);
    return expected === null ? null : { expected, floor };
  };
  // The floor is that of libraries: see OWN_MATRIX_FLOOR.
  if (metric === 'bf16_tflops')
    return published(metric, model.bf16_engine === 'own' ? OWN_MATRIX_FLOOR : peak.floors.bf16);
  if (metric === 'memory_bandwidth_gbs') return published(metric, peak.floors.memory);
  return null;
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
