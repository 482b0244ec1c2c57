import { certain, type GpuPeak, type PeakFigure } from './gpu-peak.ts';
import type { MatrixEngine } from '../contract/matrix-engine.ts';
import type { Band } from './plausibility.ts';
import { peakFigure, type ComputedBy } from './spec-peak.ts';

/** How a throughput came about: what may be expected of it depends on it. */
export interface Computed extends ComputedBy {
  /** null: not told, and taken for the library, which the floors are of */
  engine: MatrixEngine | null;
}

/** Published rates are at a nominal clock that parts pass by up to 8 % when power and cooling allow. */
const BOOST = 1.1;
/** Half of the lanes' rate without dual issue, less under a tight power cap: below a third something is wrong. */
const LANES_FLOOR = 0.35;
/**
 * The floors of the tables are what libraries reach. Held against them, a kernel of ours that does not suit a card would
 * make the card suspect. On the instructions of older architectures it still passes a twentieth of the sheet; a card
 * below that does not work.
 */
export const OWN_MATRIX_FLOOR = 0.05;

interface Comparison {
  figure: PeakFigure;
  floor: number;
  /** share of the published figure that cannot be passed */
  ceiling: number;
}

/** A throughput against the data sheet: what healthy parts reach at the low end, what no part can pass at the high end. */
export function specBand(peak: GpuPeak, metric: string, by: Computed): Band | null {
  const comparison = comparisonOf(peak, metric, by);
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

function comparisonOf(peak: GpuPeak, metric: string, by: Computed): Comparison | null {
  if (metric === 'memory_bandwidth_gbs') return { figure: metric, floor: peak.floors.memory, ceiling: 1 };
  const figure = peakFigure(peak, metric, by);
  return figure === null ? null : { figure, floor: floorOf(peak, metric, figure, by), ceiling: BOOST };
}

function floorOf(peak: GpuPeak, metric: string, figure: PeakFigure, by: Computed): number {
  if (figure === 'fp32_tflops' || figure === 'fp64_tflops') return LANES_FLOOR;
  if (by.engine === 'own' || metric.startsWith('matrix_issue_')) return OWN_MATRIX_FLOOR;
  // Nobody has published what libraries reach in fp64 on matrix units.
  return figure === 'fp64_matrix_tflops' ? LANES_FLOOR : peak.floors.bf16;
}
