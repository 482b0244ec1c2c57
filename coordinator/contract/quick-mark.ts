import { z } from 'zod';
import { burstFigure, loadClass } from './load-class.ts';
import { arithmetic, engineChoice, engineMark, matrixEngine } from './matrix-engine.ts';
import { bandwidthMatrix } from './bandwidth-matrix.ts';
import { boundedJson, overBounds, without } from './bounded-json.ts';
import { figureLimits, figureUpTo, MOST_DEVICES, sample, temperature } from './figure-limits.ts';
import { ruledVerdict, togetherFigure } from './figure-verdict.ts';
import { healthFindings, healthNotRead, nodeSignals } from './health.ts';
import { sizeCaps } from './size-caps.ts';
import { text } from './wire.ts';

/** Median and spread behind a headline figure; `n` samples. */
export const figureStats = z.object({
  n: z.int().positive(),
  min: sample,
  max: sample,
  median: sample,
  p5: sample,
  p95: sample,
  cv: z.number().nonnegative().max(1e6).meta({ description: 'standard deviation / mean' }),
});

/** The metrics of one device; the names contain the units. Definitions: native/src/gpu/README.md. */
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

/** Ours, additive: further figures with a field of their own, absent if the agent does not know them. */
export const additiveMetrics = [
  'fp32_ieee_tflops',
  'tf32_tflops',
  'nvfp4_tflops',
  'mxfp4_tflops',
  'mxfp8_tflops',
] as const;
export const deviceMetrics = [...quickMarkMetrics, ...additiveMetrics] as const;
export type DeviceMetric = (typeof deviceMetrics)[number];
export const isDeviceMetric = (metric: string): metric is DeviceMetric =>
  deviceMetrics.some((known) => known === metric);

/**
 * Share of the measured time in which the threads of a figure had their cores (`details[metric].core_share`); below it
 * the figure counts as too low. A steady competitor slows all samples equally, so the spread does not show it.
 */
export const CORE_SHARE_MIN = 0.9;

/** Details of a matrix product's TFLOP/s: how it was computed and how it compares with the data sheet. */
const gemmFigure = z.object({
  engine: matrixEngine.meta({ description: "vendor: the GPU maker's library; own: gpumark's kernels" }),
  fraction_of_spec_peak: z.number().nonnegative().max(1000).nullable().meta({
    description:
      'share of the published dense rate, above 1 on overclocked cards; null where none is known for the model',
  }),
  spec_peak_tflops: z.number().positive().max(figureLimits.bf16_tflops).nullable(),
  arithmetic: arithmetic.optional().meta({ description: 'of fp32_tflops, which is TF32 where the device has it' }),
  load: loadClass.optional().meta({
    description:
      'how long the device had carried this load: burst (first 0.1 to 0.5 s after a rest), sustained (1.6 s before, 1.2 s counted), ' +
      'settled (two minutes, drift within 2 %), brief (shorter). Only figures of one class are compared; brief ones, and those without it, never',
  }),
  burst: burstFigure.optional().meta({
    description: 'what the same product reaches in its first 0.25 s after a rest; not comparable with the figure',
  }),
  heuristic_first_tflops: figureUpTo(figureLimits.bf16_tflops).optional().meta({
    description:
      "what the vendor's library reaches with its first proposal, as frameworks call it; the figure itself is the best of the trials",
  }),
  settled: z.boolean().nullable().optional().meta({
    description: 'first and last quarter of the series within 2 %; null where there were too few samples to say',
  }),
  joules_per_tflop: z.number().nonnegative().max(1e9).nullable().optional().meta({
    description: 'mean power of the card over its own series, per TFLOP/s',
  }),
});
export type GemmFigure = z.infer<typeof gemmFigure>;

/** One device's QuickMark: the interface's fields, then ours (additive): engine, spread, why a figure is null. */
const deviceShape = z.looseObject({
  gpu_id: text(120, 1),
  gpu_model: text(200, 1),
  fp32_tflops: figureUpTo(figureLimits.fp32_tflops),
  fp32_cuda_core_tflops: figureUpTo(figureLimits.fp32_cuda_core_tflops),
  fp32_ieee_tflops: figureUpTo(figureLimits.fp32_tflops).optional().meta({
    description: 'Ours, additive: fp32 products with all 24 bits, on the fastest units that keep them',
  }),
  tf32_tflops: figureUpTo(figureLimits.fp32_tflops).optional().meta({
    description:
      'Ours, additive: fp32 products of inputs rounded to 10 bits of mantissa (TF32, XF32); null where no unit does that',
  }),
  nvfp4_tflops: figureUpTo(figureLimits.fp8_tflops).optional().meta({
    description:
      'Ours, additive: products of 4-bit numbers (E2M1) with a scale (UE4M3) for each 16; null where no unit does that',
  }),
  mxfp4_tflops: figureUpTo(figureLimits.fp8_tflops).optional().meta({
    description:
      'Ours, additive: products of 4-bit numbers (E2M1) with a scale (UE8M0) for each 32 (OCP MX); null likewise',
  }),
  mxfp8_tflops: figureUpTo(figureLimits.fp8_tflops).optional().meta({
    description:
      'Ours, additive: products of 8-bit numbers (E4M3) with a scale (UE8M0) for each 32 (OCP MX); null likewise',
  }),
  fp16_tflops: figureUpTo(figureLimits.fp16_tflops),
  bf16_tflops: figureUpTo(figureLimits.bf16_tflops),
  fp8_tflops: figureUpTo(figureLimits.fp8_tflops),
  mixed_precision_tflops: figureUpTo(figureLimits.mixed_precision_tflops),
  memory_bandwidth_gbs: figureUpTo(figureLimits.memory_bandwidth_gbs),
  l2_bandwidth_gbs: figureUpTo(figureLimits.l2_bandwidth_gbs),
  host_to_device_bandwidth_gbs: figureUpTo(figureLimits.host_to_device_bandwidth_gbs),
  device_to_host_bandwidth_gbs: figureUpTo(figureLimits.device_to_host_bandwidth_gbs),
  kernel_launch_overhead_us: figureUpTo(figureLimits.kernel_launch_overhead_us),
  power_consumption_watts: figureUpTo(figureLimits.power_consumption_watts),
  temperature_centigrade: temperature,
  energy_consumption_wh: figureUpTo(figureLimits.energy_consumption_wh),
  vendor: z.enum(['nvidia', 'amd', 'cpu']),
  engine: matrixEngine.nullable().meta({
    description:
      'behind the matrix products; null where some are by one engine and some by the other (`gemm` says which)',
  }),
  simulated: z.boolean(),
  unavailable: z.record(z.string(), z.string()).meta({ description: 'metric -> why it is null' }),
  details: z
    .record(z.string(), z.unknown())
    .superRefine(boundSamples)
    .meta({
      description:
        'metric -> {value, unit, stats, verified, ...}; `device` and `run` describe the device and the run, `readings` has its ' +
        'sensors over time. A device is at most ' +
        `${sizeCaps.device.bytes} bytes with them, ${sizeCaps.figures.bytes} without, and nests at most ${sizeCaps.device.depth} levels`,
    }),
  verdicts: z
    .record(text(60, 1), ruledVerdict)
    .optional()
    .meta({ description: 'Ours, additive: metric -> {verdict, rule}: is the figure plausible, and by which rule' }),
  together: z.record(text(60, 1), togetherFigure).optional().meta({
    description: 'Ours, additive: metric -> {value, alone, gap}: all devices at once beside this device alone',
  }),
  health: healthFindings.optional().meta({
    description:
      'Ours, additive: what the health rules found on this device, worst first; computed again by the coordinator',
  }),
  health_not_read: healthNotRead.optional().meta({
    description: 'Ours, additive: signals that no health rule could judge, and why; they are not taken for healthy',
  }),
  unranked: text(400).optional().meta({
    description:
      'Ours, additive, by the coordinator: why these figures are kept and shown, but neither ranked nor a measure for others',
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
  fp32_tflops: figureUpTo(MOST_DEVICES * figureLimits.fp32_tflops),
  fp16_tflops: figureUpTo(MOST_DEVICES * figureLimits.fp16_tflops),
  bf16_tflops: figureUpTo(MOST_DEVICES * figureLimits.bf16_tflops),
  memory_bandwidth_gbs: figureUpTo(MOST_DEVICES * figureLimits.memory_bandwidth_gbs),
  power_consumption_watts: figureUpTo(MOST_DEVICES * figureLimits.power_consumption_watts),
  temperature_centigrade: temperature,
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
  test_results: z.array(quickMarkTestResult).min(1).max(MOST_DEVICES),
  aggregate_results: quickMarkAggregate,
  tier: z.enum(['quick', 'standard', 'soak']).optional().meta({
    description: 'Ours, additive: how long it measured; figures of different tiers are not compared',
  }),
  engine_choice: engineChoice.optional().meta({
    description: 'Ours, additive: the engine asked for by --engine or by the configuration of the benchmark',
  }),
  node_signals: nodeSignals.optional().meta({
    description: 'Ours, additive: what the agent read of the machine that says how healthy it is',
  }),
  node_health: healthFindings.optional().meta({
    description: 'Ours, additive: what the health rules found on the machine beside its devices, worst first',
  }),
  node_health_not_read: healthNotRead.optional().meta({
    description: 'Ours, additive: signals of the machine that no health rule could judge, and why',
  }),
});
export type QuickMarkResults = z.infer<typeof quickMarkResults>;

const tooMany = (name: string, value: unknown): string =>
  `without ${name} ${overBounds(without(name, value), sizeCaps.figures) ?? 'is too large'}; ${SHORTER}`;

/** Checks what is read from `details` as figures: the value and the samples behind it. The rest is shown as received. */
function boundSamples(details: Record<string, unknown>, context: z.RefinementCtx): void {
  for (const [metric, detail] of Object.entries(details)) {
    if (typeof detail !== 'object' || detail === null || !('stats' in detail || 'value' in detail)) continue;
    const { stats, value } = detail as { stats?: unknown; value?: unknown };
    const parsed = measuredDetail.safeParse({
      stats: typeof stats === 'object' ? stats : null,
      value: typeof value === 'number' ? value : null,
    });
    for (const { path, message } of parsed.error?.issues ?? [])
      context.addIssue({ code: 'custom', path: [metric, ...path], message });
  }
}
const measuredDetail = z.object({ stats: figureStats.nullable(), value: sample.nullable() });
