import type { MatrixEngine } from '../contract/matrix-engine.ts';
import { isGemmMetric } from '../contract/matrix-engine.ts';
import type { GpuPeak, PeakFigure } from './gpu-peak.ts';

/** Share of a published figure below which a card is suspect. A share above it says nothing good of the card. */
export interface Floor {
  share: number;
  source: string;
}

const BOTH = new Set(['H100 SXM', 'H200']);
const SOURCE = 'one H100 SXM and one H200, native/results 2026-11-27';
/**
 * Of figures that these two cards showed under a load too brief, or not known, to be a reference (driver 580.159.04, three rounds).
 * Products at the power cap keep 0.64 of their sheet and more, so all have the floor of the lowest less a tenth; multiply-adds run
 * at 0.97 of the sheet, which is 132 multiprocessors x 128 lanes x 2 x 1.98 GHz, the clock that a card has by default.
 */
// prettier-ignore
const seen: readonly [metrics: readonly string[], floor: number][] = [
  [['bf16_tflops', 'fp16_tflops', 'mixed_precision_tflops', 'fp8_tflops', 'tf32_tflops'], 0.58],
  [['fp32_cuda_core_tflops', 'fp32_ieee_tflops'], 0.61],
  [['fma_fp32_tflops', 'fma_fp64_tflops'], 0.9],
  [['matrix_issue_fp16_tflops', 'matrix_issue_bf16_tflops', 'matrix_issue_fp8_tflops'], 0.58],
  [['fp64_tflops', 'matrix_issue_tf32_tflops', 'matrix_issue_fp64_tflops'], 0.68],
];
/** H800 is an H100 SXM with fewer links and without fp64; H20 and H20-3e have the memory of the same generation. */
const HOPPER_MEMORY = new Set([...BOTH, 'H800 SXM', 'H20', 'H20-3e']);

/**
 * Architectures on which a card has shown that our kernels keep up with the library: on sm_90 they reach 0.96 to 1.06 of cuBLAS in
 * every type but fp32 on the lanes (0.92). Elsewhere the gap between two programs would look like a fault of the card.
 */
const OWN_IS_PROVEN = new Set(['sm_90']);
/** What our kernels exceed even on the instructions of older architectures: a card below that does not work. */
const OWN_FLOOR = 0.05;
/** Lanes reach half of their published rate without dual issue, less under a tight power cap; below a third there is a fault. */
const LANES_FLOOR = 0.35;

interface By {
  engine: MatrixEngine | null;
  /** of `fp32_tflops`: the metric of the units that it ran on */
  metric: string;
}

/** The floor of a figure whose sheet column is `figure`. */
export function floorOf(peak: GpuPeak, figure: PeakFigure, { engine, metric }: By): Floor {
  const isOurs = (engine === 'own' && isGemmMetric(metric)) || metric.startsWith('matrix_issue_');
  if (isOurs && !OWN_IS_PROVEN.has(peak.architecture) && !isOnLanes(figure))
    return { share: OWN_FLOOR, source: 'our kernels have run on no card of this architecture' };
  if (metric === 'memory_bandwidth_gbs')
    return HOPPER_MEMORY.has(peak.name)
      ? { share: 0.85, source: `${SOURCE}: memory of the same generation` }
      : { share: peak.floors.memory, source: 'what publications show of such cards, less a tenth' };
  // A product on the lanes of a card whose sheet has another rate for them was not seen.
  const isElsewhere = metric === 'fp64_tflops' && figure !== 'fp64_matrix_tflops';
  const line = BOTH.has(peak.name) && !isElsewhere ? seen.find(([metrics]) => metrics.includes(metric)) : undefined;
  if (line !== undefined) return { share: line[1], source: SOURCE };
  if (isOnLanes(figure) || figure === 'fp64_matrix_tflops')
    return { share: LANES_FLOOR, source: 'below a third of its lanes a card has a fault' };
  return { share: peak.floors.bf16, source: 'what libraries reach on such cards by publications, less a tenth' };
}

const isOnLanes = (figure: PeakFigure): boolean => figure === 'fp32_tflops' || figure === 'fp64_tflops';
