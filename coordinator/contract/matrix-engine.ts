import { z } from 'zod';

/** What computed a matrix product: the GPU maker's library found on the machine, or kernels of this program. */
export const matrixEngine = z.enum(['own', 'vendor']);
export type MatrixEngine = z.infer<typeof matrixEngine>;

/** `mixed`: some devices by one engine and some by the other, so the figure is comparable with neither. */
export const engineMark = z.enum(['own', 'vendor', 'mixed']);
export type EngineMark = z.infer<typeof engineMark>;

/** What `--engine` takes; `auto` is the library where it is there and right, else our kernels. */
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
export type GemmMetric = (typeof gemmMetrics)[number];

export const isGemmMetric = (metric: string): metric is GemmMetric => gemmMetrics.some((known) => known === metric);

/** Both engines compute the same product on the same data: more than this share apart, one of them is not at its best. */
export const ENGINES_GAP_MAX = 0.15;

export const engineNames: Readonly<Record<EngineMark, string>> = {
  vendor: "the vendor's library",
  own: "gpumark's own kernels",
  mixed: "the vendor's library on some devices and gpumark's own kernels on others",
};

/** One mark for several figures; null where there are none. */
export function jointEngine(engines: readonly EngineMark[]): EngineMark | null {
  const [first, ...others] = new Set(engines);
  return first === undefined ? null : others.length > 0 ? 'mixed' : first;
}

/** Why two figures stand beside each other without a verdict. `other`: what this one would have been compared with. */
export const notCompared = (other: string, here: EngineMark, there: EngineMark): string =>
  `not compared with ${other}: measured with ${engineNames[here]}, there with ${engineNames[there]}; run with --engine own on both to compare`;
