import type { Fp32Mode } from './gpu-peaks.ts';
import type { MatrixEngine } from '../contract/matrix-engine.ts';
import { isGemmMetric } from '../contract/matrix-engine.ts';
import type { GpuPeak, PeakFigure } from './gpu-peak.ts';

/** What healthy cards of a model reach of a figure on their sheet, in the words of a person: "healthy cards 65 to 80 %". */
export interface HealthyShare {
  figure: string;
  /** shares of the published figure */
  low: number;
  high: number;
  /** healthy cards that were measured by this program */
  count: number;
  source: string;
}

/** Share of the published figure below which a card is suspect. */
export interface Floor {
  share: number;
  /** healthy cards measured by this program behind it; 0 if it rests on publications or on caution alone */
  cards: number;
  source: string;
}

/** How a throughput was computed. */
interface By {
  engine: MatrixEngine | null;
  path?: string | null;
  mode?: Fp32Mode | null;
}

type Line = [models: readonly string[], metrics: readonly string[], low: number, high: number, floor: number];

const H100 = 'H100 SXM';
const H200 = 'H200';
const BOTH = [H100, H200];
/**
 * One H100 SXM and one H200, three rounds each, driver 580.159.04 (`native/results`, 2026-11-27). Products: the low end is what
 * they sustain by operations per second of wall, the high end what publications and the first half second reach. The floor of a
 * product is a tenth below the low end, but 0.58 for all types that run at the power cap: fp8, the lowest of them, keeps 0.64.
 * Bandwidth repeats to 0.05 % on both cards and multiply-adds to one step of the clock, so their floors are nearer.
 */
// prettier-ignore
const proven: readonly Line[] = [
  [BOTH, ['memory_bandwidth_gbs'], 0.89, 0.92, 0.85],
  [BOTH, ['bf16_tflops'], 0.65, 0.8, 0.58],
  [BOTH, ['fp16_tflops'], 0.64, 0.8, 0.58],
  [BOTH, ['mixed_precision_tflops'], 0.63, 0.8, 0.58],
  [BOTH, ['fp8_tflops'], 0.63, 0.77, 0.58],
  [BOTH, ['tf32_tflops'], 0.68, 0.84, 0.58],
  [BOTH, ['fp64_tflops'], 0.76, 0.85, 0.68],
  [BOTH, ['fp32_cuda_core_tflops', 'fp32_ieee_tflops'], 0.68, 0.77, 0.61],
  // The sheet's 66.9 is 132 multiprocessors x 128 lanes x 2 x 1.98 GHz, the clock that a card has by default.
  [BOTH, ['fma_fp32_tflops', 'fma_fp64_tflops'], 0.97, 1, 0.9],
  // At the power cap, as the products.
  [BOTH, ['matrix_issue_fp16_tflops', 'matrix_issue_bf16_tflops', 'matrix_issue_fp8_tflops'], 0.88, 1, 0.58],
  [BOTH, ['matrix_issue_tf32_tflops', 'matrix_issue_fp64_tflops'], 0.95, 1.04, 0.68],
];
const SOURCE = 'one H100 SXM and one H200, native/results 2026-11-27';
/** H800 is an H100 SXM with fewer links and without fp64; H20 and H20-3e have the memory of the same generation. */
const ALSO_HOPPER_MEMORY = new Set(['H800 SXM', 'H20', 'H20-3e']);

/**
 * Architectures on which a card has shown that our kernels keep up with the library: on sm_90 they reach 0.96 to 1.06 of
 * cuBLAS in every type but fp32 on the lanes (0.92). There they are held to the library's floor; elsewhere the gap between two
 * programs would look like a fault of the card.
 */
const OWN_IS_PROVEN = new Set(['sm_90']);
/** What our kernels exceed even on the instructions of older architectures: a card below that does not work. */
export const OWN_MATRIX_FLOOR = 0.05;
/** Lanes reach half of their published rate without dual issue, less under a tight power cap; below a third there is a fault. */
const LANES_FLOOR = 0.35;

/** `fp32_tflops` is the product of the units that it ran on. */
const lineOf = (model: string, metric: string, mode: Fp32Mode | null): Line | undefined => {
  const real =
    metric !== 'fp32_tflops' ? metric : mode === 'tf32' ? 'tf32_tflops' : mode === 'simt' ? 'fp32_ieee_tflops' : '';
  return proven.find(([models, metrics]) => models.includes(model) && metrics.includes(real));
};

/** Null if no card of the model has been measured: a range of other models would be a guess. */
export function healthyShare(model: string, metric: string, mode: Fp32Mode | null = null): HealthyShare | null {
  const line = lineOf(model, metric, mode);
  if (line === undefined) return null;
  const [, , low, high] = line;
  return { figure: metric, low, high, count: 1, source: SOURCE };
}

/** The floor of a figure whose sheet column is `figure`. */
export function floorOf(peak: GpuPeak, metric: string, figure: PeakFigure, by: By): Floor {
  const caution = (share: number, source: string): Floor => ({ share, cards: 0, source });
  const isOurs = (by.engine === 'own' && isGemmMetric(metric)) || metric.startsWith('matrix_issue_');
  if (isOurs && !OWN_IS_PROVEN.has(peak.architecture) && !isOnLanes(figure))
    return caution(OWN_MATRIX_FLOOR, 'our kernels have run on no card of this architecture');
  // A product on the lanes of a card whose sheet has another rate for them has no line of its own.
  const line =
    metric === 'fp64_tflops' && figure !== 'fp64_matrix_tflops'
      ? undefined
      : lineOf(peak.name, metric, by.mode ?? null);
  if (line !== undefined) return { share: line[4], cards: 1, source: SOURCE };
  if (metric === 'memory_bandwidth_gbs') {
    return ALSO_HOPPER_MEMORY.has(peak.name)
      ? { share: 0.85, cards: 2, source: `${SOURCE}: memory of the same generation` }
      : caution(peak.floors.memory, 'what publications show of such cards, less a tenth');
  }
  if (isOnLanes(figure) || figure === 'fp64_matrix_tflops')
    return caution(LANES_FLOOR, 'below a third of its lanes a card has a fault');
  return caution(peak.floors.bf16, 'what libraries reach on such cards by publications, less a tenth');
}

const isOnLanes = (figure: PeakFigure): boolean => figure === 'fp32_tflops' || figure === 'fp64_tflops';
