import type { Arithmetic } from '../contract/matrix-engine.ts';
import type { GpuPeak } from './gpu-peak.ts';
import { gpuPeak, isPart } from './gpu-peaks.ts';
import { type Finding, type JudgedFigure, valueOf } from './judge-figure.ts';
import { isCopy, type JudgedDevice } from './judge-spec-band.ts';
import { pcieBand } from './plausibility.ts';

/**
 * No card exceeds its published figure by more than this factor, even if the other of two data sheets is right, the card is
 * overclocked or the product used another accumulator. GeForce tensor rates are published for two that differ by a factor of 2.
 */
const GROSS = 2.5;

/**
 * Limits that processors cannot exceed, several times what the largest servers reach: 8 sockets of 60 cores with AMX reach
 * 1.9 PFLOP/s in bf16 on paper, 2 sockets of 128 cores with AVX-512 about 50 TFLOP/s in fp32, 12 channels of MRDIMM-8800
 * 845 GB/s per socket.
 */
const PROCESSOR_LIMITS: Readonly<Record<string, number>> = {
  fp32_tflops: 500,
  fp32_cuda_core_tflops: 500,
  fp32_ieee_tflops: 500,
  fp64_tflops: 500,
  fma_fp32_tflops: 500,
  fma_fp64_tflops: 500,
  fma_fp16_tflops: 5000,
  fp16_tflops: 5000,
  bf16_tflops: 5000,
  fp8_tflops: 10_000,
  mixed_precision_tflops: 5000,
  memory_bandwidth_gbs: 10_000,
  memory_copy_gbs: 10_000,
};

/**
 * Figures that are impossible whatever the run reports. The bands depend on facts about the run (which link, which mode,
 * which sheet is right); an upload that omits or misstates them is still subject to these limits.
 */
export function publishedFindings(device: JudgedDevice, figures: readonly JudgedFigure[]): Finding[] {
  if (device.simulated) return [];
  const limitOf = device.vendor === 'cpu' ? processorLimit : cardLimit(device);
  return figures.flatMap((figure): Finding[] => {
    const value = valueOf(figure);
    const limit = value === null ? null : limitOf(figure);
    if (value === null || limit === null || value <= limit.most) return [];
    const reason = `${Number(value.toPrecision(4))} ${figure.unit} is above ${limit.words}`;
    return [{ metric: figure.metric, verdict: 'bad', rule: 'physical limit', reason, beyond: true }];
  });
}

type Limit = { most: number; words: string } | null;

function processorLimit({ metric }: JudgedFigure): Limit {
  const most = PROCESSOR_LIMITS[metric];
  return most === undefined ? null : { most, words: `${most}, more than any CPU server reaches` };
}

const cardLimit =
  (device: JudgedDevice) =>
  ({ metric, arithmetic }: JudgedFigure): Limit => {
    // A slice has less than its card, so the card's limits hold for it all the more.
    const peak = gpuPeak(device.name);
    if (peak === null) return null;
    const link = peak.pcie === null || !isCopy(metric) ? null : pcieBand(device.name, peak, peak.pcie);
    if (link !== null)
      return { most: link.high, words: `the ${link.high.toFixed(1)} GB/s of the link of ${peak.name}` };
    const published = publishedOf(peak, metric, arithmetic ?? null);
    if (published === null) return null;
    const part = isPart(device) ? ', of which this is a part' : '';
    return { most: GROSS * published, words: `${GROSS} times the ${published} published for ${peak.name}${part}` };
  };

/** The highest published rate that could apply to a figure. */
function publishedOf(peak: GpuPeak, metric: string, arithmetic: Arithmetic | null): number | null {
  switch (metric) {
    case 'memory_bandwidth_gbs':
    case 'memory_copy_gbs':
      return peak.memory_bandwidth_gbs;
    case 'fp32_cuda_core_tflops':
    case 'fma_fp32_tflops':
    // Matrix units for fp32 are at most twice as fast.
    case 'fp32_ieee_tflops':
      return peak.fp32_tflops;
    case 'tf32_tflops':
    case 'matrix_issue_tf32_tflops':
      return peak.tf32_tflops;
    case 'fp64_tflops':
    case 'matrix_issue_fp64_tflops':
      return Math.max(peak.fp64_tflops ?? 0, peak.fp64_matrix_tflops ?? 0) || null;
    case 'fma_fp64_tflops':
      return peak.fp64_tflops;
    case 'fp32_tflops':
      if (arithmetic !== null) return arithmetic === 'tf32' ? peak.tf32_tflops : peak.fp32_tflops;
      return Math.max(peak.fp32_tflops ?? 0, peak.tf32_tflops ?? 0) || null;
    case 'fp16_tflops':
    case 'mixed_precision_tflops':
    case 'matrix_issue_fp16_tflops':
    // No sheet lists the rate of the lanes; matrix units are faster.
    case 'fma_fp16_tflops':
      return peak.fp16_tflops;
    case 'bf16_tflops':
    case 'matrix_issue_bf16_tflops':
      return peak.bf16_tflops;
    case 'fp8_tflops':
    case 'matrix_issue_fp8_tflops':
    case 'mxfp8_tflops':
      return peak.fp8_tflops;
    case 'nvfp4_tflops':
    case 'mxfp4_tflops':
      return peak.fp4_tflops;
    default:
      return null;
  }
}
