import { z } from 'zod';

/** What computed a matrix product: the GPU maker's library found on the machine, or kernels of this program. */
export const matrixEngine = z.enum(['own', 'vendor']);
export type MatrixEngine = z.infer<typeof matrixEngine>;

/** `mixed`: some devices by one engine and some by the other, so the figure is comparable with neither. */
export const engineMark = z.enum(['own', 'vendor', 'mixed']);
export type EngineMark = z.infer<typeof engineMark>;

/** What `--engine` takes; `auto` is the library if it is there and right, else our kernels. */
export const engineChoice = z.enum(['auto', 'vendor', 'own']);
export type EngineChoice = z.infer<typeof engineChoice>;

/** Figures that either engine may stand behind. Every other figure has one source only. */
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
 * What fp32 products were computed in. `tf32`: inputs rounded to 10 bits of mantissa by matrix units (NVIDIA's TF32, AMD's
 * XF32); `ieee fp32`: all 24 bits, on matrix units or on the ordinary lanes. `fp32_tflops` is of either kind, whatever the
 * device has first; no other metric is.
 */
export const arithmetic = z.enum(['tf32', 'ieee fp32']);
export type Arithmetic = z.infer<typeof arithmetic>;

/** Of figures of several devices. */
export type ArithmeticMark = Arithmetic | 'mixed';

const names: Readonly<Record<ArithmeticMark, string>> = {
  tf32: 'TF32',
  'ieee fp32': 'IEEE fp32',
  mixed: 'TF32 by some devices and IEEE fp32 by others',
};
export const arithmeticName = (one: ArithmeticMark): string => names[one];

/** Of `fp32_tflops` by what its record says, of earlier agents by its mode; null for other metrics and if nobody says. */
export function arithmeticOf(metric: string, details: Readonly<Record<string, unknown>>): Arithmetic | null {
  if (metric !== 'fp32_tflops') return null;
  const said = arithmetic.safeParse(details['arithmetic']);
  if (said.success) return said.data;
  return details['mode'] === 'tf32' ? 'tf32' : details['mode'] === 'simt' ? 'ieee fp32' : null;
}
