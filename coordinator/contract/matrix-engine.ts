import { z } from 'zod';

/** What computed a matrix product: the GPU maker's library found on the machine, or kernels of this program. */
export const matrixEngine = z.enum(['own', 'vendor']);
export type MatrixEngine = z.infer<typeof matrixEngine>;

/** `mixed`: some devices used one engine and some the other, so the figure is comparable with neither. */
export const engineMark = z.enum(['own', 'vendor', 'mixed']);
export type EngineMark = z.infer<typeof engineMark>;

/** Values of `--engine`; `auto` is the library if it is installed and its results are right, else our kernels. */
export const engineChoice = z.enum(['auto', 'vendor', 'own']);
export type EngineChoice = z.infer<typeof engineChoice>;

/** Figures that either engine can produce. Every other figure has only one source. */
export const gemmMetrics = [
  'fp32_tflops',
  'fp32_ieee_tflops',
  'tf32_tflops',
  'fp32_cuda_core_tflops',
  'fp64_tflops',
  'fp16_tflops',
  'bf16_tflops',
  'fp8_tflops',
  'mixed_precision_tflops',
  'nvfp4_tflops',
  'mxfp4_tflops',
  'mxfp8_tflops',
] as const;
type GemmMetric = (typeof gemmMetrics)[number];

export const isGemmMetric = (metric: string): metric is GemmMetric => gemmMetrics.some((known) => known === metric);

export const engineNames: Readonly<Record<EngineMark, string>> = {
  vendor: "the vendor's library",
  own: "gpumark's own kernels",
  mixed: "the vendor's library on some devices and gpumark's own kernels on others",
};

/**
 * Arithmetic of fp32 products. `tf32`: matrix units round the inputs to 10 bits of mantissa (NVIDIA's TF32, AMD's XF32);
 * `ieee fp32`: all 24 bits, on matrix units or on the ordinary lanes. `fp32_tflops` can be either, whichever the device has
 * first; no other metric can.
 */
export const arithmetic = z.enum(['tf32', 'ieee fp32']);
export type Arithmetic = z.infer<typeof arithmetic>;

/** Arithmetic of figures of several devices. */
export type ArithmeticMark = Arithmetic | 'mixed';

const names: Readonly<Record<ArithmeticMark, string>> = {
  tf32: 'TF32',
  'ieee fp32': 'IEEE fp32',
  mixed: 'TF32 by some devices and IEEE fp32 by others',
};
export const arithmeticName = (one: ArithmeticMark): string => names[one];

/** Arithmetic of `fp32_tflops` by its record, or by its mode if an earlier agent wrote it; null if unknown or another metric. */
export function arithmeticOf(metric: string, details: Readonly<Record<string, unknown>>): Arithmetic | null {
  if (metric !== 'fp32_tflops') return null;
  const said = arithmetic.safeParse(details['arithmetic']);
  if (said.success) return said.data;
  return details['mode'] === 'tf32' ? 'tf32' : details['mode'] === 'simt' ? 'ieee fp32' : null;
}
