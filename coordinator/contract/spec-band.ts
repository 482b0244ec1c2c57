import { certain, type GpuPeak, type PeakFigure } from './gpu-peak.ts';
import type { Band } from './plausibility.ts';

/** `fp32_tflops` runs on TF32 matrix engines where frameworks do, else on the ordinary lanes. */
export type Fp32Mode = 'tf32' | 'simt';

/** Published rates are at a nominal clock that parts pass by up to 8 % when power and cooling allow. */
const BOOST = 1.1;
/** Half of the lanes' rate without dual issue, less under a tight power cap: below a third something is wrong. */
const LANES_FLOOR = 0.35;

interface Comparison {
  figure: PeakFigure;
  floor: number;
  /** share of the published figure that cannot be passed */
  ceiling: number;
}

/** A throughput against the data sheet: what healthy parts reach at the low end, what no part can pass at the high end. */
export function specBand(peak: GpuPeak, metric: string, mode: Fp32Mode | null): Band | null {
  const comparison = comparisonOf(peak, metric, mode);
  const published = comparison && certain(peak, comparison.figure);
  if (!comparison || published === null) return null;
  const { floor, ceiling, figure } = comparison;
  const unit = figure.endsWith('_gbs') ? 'GB/s' : 'TFLOP/s';
  const isWholeTruth = peak.market === 'data-centre';
  return {
    low: floor * published,
    high: ceiling * published,
    unit,
    below: 'warn',
    // Other cards are sold overclocked and may be tuned by their owner.
    above: isWholeTruth ? 'bad' : 'warn',
    rule: `${floor.toFixed(2)} to ${ceiling.toFixed(2)} of the ${published} ${unit} published for ${peak.name} (${peak.source})`,
  };
}

function comparisonOf(peak: GpuPeak, metric: string, mode: Fp32Mode | null): Comparison | null {
  const { memory, bf16 } = peak.floors;
  switch (metric) {
    case 'memory_bandwidth_gbs':
      return { figure: metric, floor: memory, ceiling: 1 };
    case 'fp32_cuda_core_tflops':
    case 'fma_fp32_tflops':
      return { figure: 'fp32_tflops', floor: LANES_FLOOR, ceiling: BOOST };
    case 'fma_fp64_tflops':
      return { figure: 'fp64_tflops', floor: LANES_FLOOR, ceiling: BOOST };
    case 'fp32_tflops':
      if (mode === null) return null;
      return mode === 'tf32'
        ? { figure: 'tf32_tflops', floor: bf16, ceiling: BOOST }
        : { figure: 'fp32_tflops', floor: LANES_FLOOR, ceiling: BOOST };
    case 'fp16_tflops':
    case 'mixed_precision_tflops':
      return { figure: 'fp16_tflops', floor: bf16, ceiling: BOOST };
    case 'bf16_tflops':
    case 'fp8_tflops':
      return { figure: metric, floor: bf16, ceiling: BOOST };
    default:
      return null;
  }
}
