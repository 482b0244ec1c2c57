import { z } from 'zod';
import { bandwidthMatrix } from './bandwidth-matrix.ts';
import { boundedJson, overBounds, without } from './bounded-json.ts';
import { ruledVerdict, togetherFigure } from './figure-verdict.ts';
import { engineChoice, engineMark, matrixEngine } from './matrix-engine.ts';
import { sizeCaps } from './size-caps.ts';
import { text } from './wire.ts';

/** A figure of the interface: a finite number, or null where it was not measured (never 0 instead of null). */
const figure = z.number().nonnegative().nullable();

/** Median and spread behind a headline figure; `n` samples. */
export const figureStats = z.object({
  n: z.int().positive(),
  min: z.number(),
  max: z.number(),
  median: z.number(),
  p5: z.number(),
  p95: z.number(),
  cv: z.number().nonnegative().meta({ description: 'standard deviation / mean' }),
});

/** The metrics of one device; units stand in the names. What each means: native/README.md. */
export const quickMarkMetrics = [
  'fp32_tflops',
  'fp32_cuda_core_tflops',
  'fp16_tflops',
  'bf16_tflops',
  'fp8_tflops',
  'mixed_precision_tflops',
  'memory_bandwidth_gbs',
  'l2_bandwidth_gbs',
  'host_to_device_bandwidth_gbs',
  'device_to_host_bandwidth_gbs',
  'kernel_launch_overhead_us',
  'power_consumption_watts',
  'temperature_centigrade',
  'energy_consumption_wh',
] as const;
export type QuickMarkMetric = (typeof quickMarkMetrics)[number];

/**
 * Share of the measured time in which the threads of a figure had their cores (`details[metric].core_share`), below which
 * the figure is called too low. A steady competitor slows every sample alike, so the spread does not show it.
 */
export const CORE_SHARE_MIN = 0.9;

/** What stands beside each TFLOP/s of a matrix product: how it was computed and how it compares with the data sheet. */
export const gemmFigure = z.object({
  engine: matrixEngine.meta({ description: "vendor: the GPU maker's library; own: gpumark's kernels" }),
  fraction_of_spec_peak: z.number().nonnegative().nullable().meta({
    description:
      'share of the published dense rate, above 1 on overclocked cards; null where none is known for the model',
  }),
  spec_peak_tflops: z.number().positive().nullable(),
});
export type GemmFigure = z.infer<typeof gemmFigure>;

/** One device's QuickMark. The fields of the interface, then ours (additive): who measured, spread, why a figure is null. */
const deviceShape = z.looseObject({
  gpu_id: text(120, 1),
  gpu_model: text(200, 1),
  fp32_tflops: figure,
  fp32_cuda_core_tflops: figure,
  fp16_tflops: figure,
  bf16_tflops: figure,
  fp8_tflops: figure,
  mixed_precision_tflops: figure,
  memory_bandwidth_gbs: figure,
  l2_bandwidth_gbs: figure,
  host_to_device_bandwidth_gbs: figure,
  device_to_host_bandwidth_gbs: figure,
  kernel_launch_overhead_us: figure,
  power_consumption_watts: figure,
  temperature_centigrade: z.number().nullable(),
  energy_consumption_wh: figure,
  vendor: z.enum(['nvidia', 'amd', 'cpu']),
  engine: matrixEngine.nullable().meta({
    description:
      'behind the matrix products; null where some are by one engine and some by the other (`gemm` says which)',
  }),
  simulated: z.boolean(),
  unavailable: z.record(z.string(), z.string()).meta({ description: 'metric -> why it is null' }),
  details: z.record(z.string(), z.unknown()).meta({
    description:
      'metric -> {value, unit, stats, verified, ...}; `device` and `run` describe the device and the run. A device is at most ' +
      `${sizeCaps.device.bytes} bytes with them, ${sizeCaps.figures.bytes} without, and nests at most ${sizeCaps.device.depth} levels`,
  }),
  verdicts: z
    .record(text(60, 1), ruledVerdict)
    .optional()
    .meta({ description: 'Ours, additive: metric -> {verdict, rule}: is the figure plausible, and by which rule' }),
  together: z.record(text(60, 1), togetherFigure).optional().meta({
    description: 'Ours, additive: metric -> {value, alone, gap}: all devices at once beside this device alone',
  }),
  gemm: z.record(text(60, 1), gemmFigure).optional().meta({
    description: 'Ours, additive: metric of a matrix product -> {engine, fraction_of_spec_peak, spec_peak_tflops}',
  }),
});

const SHORTER = 'leave samples out of it, or make its texts shorter';
export const quickMarkTestResult = boundedJson(deviceShape, sizeCaps.device, SHORTER).refine(
  (device) => overBounds(without('details', device), sizeCaps.figures) === null,
  { error: ({ input }) => tooMany('details', input) },
);
export type QuickMarkTestResult = z.infer<typeof quickMarkTestResult>;

/** The node's aggregate: compute, bandwidth and power are sums, temperature the maximum. */
const aggregateShape = z.looseObject({
  gpu_id: z.literal('aggregate'),
  fp32_tflops: figure,
  fp16_tflops: figure,
  bf16_tflops: figure,
  memory_bandwidth_gbs: figure,
  power_consumption_watts: figure,
  temperature_centigrade: z.number().nullable(),
  gpu_bandwidth_matrix: bandwidthMatrix
    .optional()
    .meta({ description: 'copies between the GPUs of the node, a cell per ordered pair; absent with fewer than two' }),
  engines: z.record(text(60, 1), engineMark).optional().meta({
    description:
      'Ours, additive: metric -> engine behind all parts of the sum, or `mixed`: comparable with no other sum',
  }),
  notes: z
    .array(text(400))
    .max(20)
    .optional()
    .meta({ description: 'Ours, additive: what a reader of the sums must know, in sentences' }),
});
export const quickMarkAggregate = boundedJson(aggregateShape, sizeCaps.aggregate, SHORTER).refine(
  (aggregate) => overBounds(without('gpu_bandwidth_matrix', aggregate), sizeCaps.figures) === null,
  { error: ({ input }) => tooMany('gpu_bandwidth_matrix', input) },
);
export type QuickMarkAggregate = z.infer<typeof quickMarkAggregate>;

export const quickMarkResults = z.looseObject({
  test_results: z.array(quickMarkTestResult).min(1).max(64),
  aggregate_results: quickMarkAggregate,
  engine_choice: engineChoice.optional().meta({
    description: 'Ours, additive: the engine asked for by --engine or by the configuration of the benchmark',
  }),
});
export type QuickMarkResults = z.infer<typeof quickMarkResults>;

const tooMany = (name: string, value: unknown): string =>
  `without ${name} ${overBounds(without(name, value), sizeCaps.figures) ?? 'is too large'}; ${SHORTER}`;
