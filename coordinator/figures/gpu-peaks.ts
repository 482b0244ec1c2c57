import { certain, type GpuPeak, type PeakFigure } from './gpu-peak.ts';
import { amdPeaks } from './gpu-peaks-amd.ts';
import { nvidiaDataCentrePeaks } from './gpu-peaks-nvidia-data-centre.ts';
import { nvidiaRtxPeaks } from './gpu-peaks-nvidia-rtx.ts';

/** Every model that we have published figures for. */
export const gpuPeaks: readonly GpuPeak[] = [...nvidiaDataCentrePeaks, ...nvidiaRtxPeaks, ...amdPeaks];

/**
 * Names of devices that are not the whole card of the data sheet: a MIG slice, a virtual GPU ("GRID A100-10C", "A10-24Q"),
 * a laptop part of the same number.
 */
const partOrOther = /\b(MIG|GRID|vGPU|Laptop|Mobile|Embedded)\b|with Max-Q|-\d+[ABCQ]$/i;

/** The published figures of the model a driver reports, or null if we have none: never those of a similar model. */
export function gpuPeak(reportedModel: string): GpuPeak | null {
  const name = plainName(reportedModel);
  if (partOrOther.test(name)) return null;
  return gpuPeaks.find(({ reported }) => reported.test(name)) ?? null;
}

/** A reported name, normalised: one form per letter, no invisible characters, single spaces. */
export const plainName = (reported: string): string =>
  reported
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Whether a device is only part of the card it is named after: a MIG slice, or an AMD card in a mode other than SPX (whole). */
export function isPart({ device_id, attributes }: { device_id: string; attributes: Record<string, unknown> }): boolean {
  const partition = attributes['partition'];
  const compute =
    partition !== null && typeof partition === 'object' && 'compute' in partition ? partition.compute : null;
  return device_id.startsWith('MIG-') || (typeof compute === 'string' && !/^(SPX|N\/A)$/i.test(compute));
}

/**
 * One key per model, however drivers or senders spell its name: the published card if we have its figures, else the
 * plain name.
 */
export function modelKey(vendor: string, reported: string): string {
  const peak = vendor === 'cpu' ? null : gpuPeak(reported);
  return `${vendor}|${peak?.name ?? plainName(reported).toLowerCase()}`;
}

/** A sentence on why a driver cannot report this name for that maker's device; null for an ordinary name. */
export function doubtOfName(vendor: string, reported: string): string | null {
  const peak: GpuPeak | null = gpuPeak(reported);
  if (peak !== null && peak.vendor !== vendor)
    return `${peak.name} is made by ${peak.vendor}, and the upload says ${vendor}`;
  // Letters of other alphabets that look like Latin ones would make a name look like a known model in every list.
  if (vendor !== 'cpu' && !/^[\x20-\x7e]+$/.test(plainName(reported)))
    return 'the model name has characters that no driver reports';
  return null;
}

/**
 * `fp32_tflops` runs on TF32 matrix engines if there are any, else on fp32 matrix units, which have no column in these
 * tables, else on the ordinary lanes.
 */
export type Fp32Mode = 'tf32' | 'fp32_matrix' | 'simt';
export const fp32Mode = (mode: unknown): Fp32Mode | null =>
  mode === 'tf32' || mode === 'fp32_matrix' || mode === 'simt' ? mode : null;

/** How a product was computed, as far as the data sheet distinguishes rates. */
export interface ComputedBy {
  mode: Fp32Mode | null;
  /** the runner's name of the instructions, such as `wgmma` or `simt`; null if unknown */
  path: string | null;
}

/** The published rate that a throughput is compared with. */
interface SpecPeak {
  figure: PeakFigure;
  tflops: number;
}

/**
 * The published rate of the units that a throughput ran on, for a whole card as its driver names it. Null for an unknown
 * model, a rate that its maker does not publish or on which sources contradict each other, and a figure that no sheet has.
 */
export function specPeak(model: string, metric: string, by: ComputedBy): SpecPeak | null {
  const peak = gpuPeak(model);
  const figure = peak === null ? null : peakFigure(peak, metric, by);
  const tflops = peak === null || figure === null ? null : certain(peak, figure);
  return figure === null || tflops === null ? null : { figure, tflops };
}

/** The column of the data sheet that applies to `metric`; null if there is none. */
export function peakFigure(peak: GpuPeak, metric: string, { mode, path }: ComputedBy): PeakFigure | null {
  switch (metric) {
    case 'fp32_tflops':
    case 'fp32_ieee_tflops':
      return mode === 'tf32' ? 'tf32_tflops' : mode === 'simt' ? 'fp32_tflops' : null;
    case 'tf32_tflops':
      return 'tf32_tflops';
    case 'fp32_cuda_core_tflops':
    case 'fma_fp32_tflops':
      return 'fp32_tflops';
    case 'fma_fp64_tflops':
      return 'fp64_tflops';
    case 'fp64_tflops':
      // A library uses the matrix units if they support fp64 at all.
      if (path === null) return null;
      return path !== 'simt' && peak.fp64_matrix_tflops !== null ? 'fp64_matrix_tflops' : 'fp64_tflops';
    case 'matrix_issue_fp64_tflops':
      return 'fp64_matrix_tflops';
    case 'matrix_issue_tf32_tflops':
      return 'tf32_tflops';
    case 'fp16_tflops':
    case 'mixed_precision_tflops':
    case 'matrix_issue_fp16_tflops':
      return 'fp16_tflops';
    case 'bf16_tflops':
    case 'matrix_issue_bf16_tflops':
      return 'bf16_tflops';
    case 'fp8_tflops':
    case 'matrix_issue_fp8_tflops':
    // Block scales do not reduce the rate: the makers publish the same for both.
    case 'mxfp8_tflops':
      return 'fp8_tflops';
    case 'nvfp4_tflops':
    case 'mxfp4_tflops':
      return 'fp4_tflops';
    default:
      return null;
  }
}
