import { z } from 'zod';
import { burstFigure, loadClass } from '../../coordinator/contract/load-class.ts';
import { arithmetic, engineChoice, matrixEngine } from '../../coordinator/contract/matrix-engine.ts';
import { bandwidthCell } from '../../coordinator/contract/bandwidth-matrix.ts';
import { judgement } from '../../coordinator/contract/judgement.ts';
import { healthFindings, healthNotRead } from '../../coordinator/contract/health.ts';

/** ok: trust it · warn: measured, but a rule tripped · bad: the result was wrong · absent: not measured, see reason */
const verdict = z.enum(['ok', 'warn', 'bad', 'absent']);
export type Verdict = z.infer<typeof verdict>;

/** Further facts about a throughput, most of them only for matrix products. All null for every other figure. */
export const gemmShape = {
  engine: matrixEngine.nullable().meta({ description: "vendor: the GPU maker's library; own: gpumark's kernels" }),
  fraction_of_spec_peak: z.number().nullable().meta({
    description: 'share of the published dense rate; null if none is known for this model',
  }),
  spec_peak_tflops: z.number().nullable(),
  other_engine_tflops: z.number().nullable().meta({ description: 'the same product by the other engine' }),
  arithmetic: arithmetic
    .nullable()
    .optional()
    .meta({ description: 'of fp32_tflops, which is TF32 if the device has it' }),
  heuristic_first_tflops: z.number().nullable().optional().meta({
    description: "what the vendor's library reaches with its first proposal; the value is the best of the trials",
  }),
  load: loadClass.nullable().optional().meta({
    description:
      'of matrix products, multiply-add and issue peaks: burst, sustained, settled, or brief if it was shorter; figures are compared within one class only, and brief ones never',
  }),
  burst: burstFigure.nullable().optional().meta({
    description: 'what the product reaches in its first 0.25 s after a rest; not comparable with the value',
  }),
};

const metricSummary = z.object({
  metric: z.string(),
  value: z.number().nullable(),
  unit: z.string(),
  n: z.int().nullable(),
  cv: z.number().nullable().meta({ description: 'standard deviation / mean of the n samples' }),
  verdict,
  rule: z.string().nullable().meta({
    description:
      'the rule that tripped: verification, absence, spread, core share, spec band, peers, baseline, engines, all at once, throttle, ecc, …; null if none did',
  }),
  reason: z.string().nullable().meta({ description: 'what the rule found, why there is no value, or a remark' }),
  judged_by: z.array(z.string()).meta({ description: 'names of the rules that were applied, tripped or not' }),
  absence: z.enum(['hardware', 'failed']).nullable().meta({
    description: 'why a figure is absent: the hardware lacks the feature, or measuring it failed; null if unknown',
  }),
  ...gemmShape,
});
export type MetricSummary = z.infer<typeof metricSummary>;

/** One figure with all GPUs at work, and the same with this one alone. */
export const togetherSummary = z.object({
  metric: z.string(),
  value: z.number(),
  alone: z.number(),
  gap: z.number().meta({ description: '1 - value / alone' }),
  samples: z.int().optional().meta({ description: 'number of samples behind value; absent if not reported' }),
  alone_samples: z.int().optional(),
});

const deviceSummary = z.object({
  device_id: z.string(),
  name: z.string(),
  vendor: z.string(),
  simulated: z.boolean(),
  verdict,
  metrics: z.array(metricSummary),
  together: z.array(togetherSummary).meta({ description: 'empty with fewer than two GPUs' }),
  health: healthFindings.meta({ description: 'what the health rules found on it, worst first' }),
  health_not_read: healthNotRead.meta({ description: 'signals that no health rule could judge, and why' }),
});
export type DeviceSummary = z.infer<typeof deviceSummary>;

/** One cluster_network from this node's view; figures and verdicts of the whole job are the coordinator's. */
const networkSummary = z.object({
  item: z.int(),
  node: z.int().nullable().meta({ description: 'number of this node within the run; null if it did not take part' }),
  outcome: z.enum(['completed', 'failed', 'skipped', 'aborted']),
  message: z.string().nullable(),
  nodes_joined: z.int(),
  nodes_lost: z.int(),
  reports_undelivered: z.int(),
});
export type NetworkSummary = z.infer<typeof networkSummary>;

/** The last event of every run, even of a failed one. Additive changes keep the schema's number. */
export const runSummary = z.object({
  type: z.literal('summary'),
  schema: z.literal('gpumark.summary/1'),
  outcome: z.enum(['completed', 'completed_with_warnings', 'failed', 'aborted', 'planned']),
  exit_code: z.int(),
  mode: z.enum(['job', 'offline', 'quick-test']),
  saved: z.boolean().meta({ description: 'true once the coordinator has acknowledged the result' }),
  trace_id: z.string(),
  agent_version: z.string(),
  seconds: z.number(),
  machine_uuid: z.string().nullable(),
  config_id: z.string().nullable(),
  coordinator: z.string().nullable(),
  job_id: z.string().nullable(),
  task_id: z.string().nullable(),
  job_url: z.string().nullable(),
  report_url: z.string().nullable(),
  spool_file: z.string().nullable().meta({ description: 'where the result waits for `gpumark-agent upload`' }),
  devices: z.array(deviceSummary),
  node_health: healthFindings.meta({ description: 'what the health rules found on the machine beside its devices' }),
  node_health_not_read: healthNotRead,
  matrix: z.array(bandwidthCell).nullable().meta({ description: 'copies between GPUs; null if there are none' }),
  network: z
    .array(networkSummary)
    .meta({ description: 'one per cluster_network of the job that this node took part in' }),
  engine: engineChoice.meta({ description: 'asked for by --engine' }),
  resumed: z.int().meta({ description: 'how often this soak was resumed' }),
  judgement: judgement.meta({
    description:
      'what is to be said of this machine, the same as on the page and in the report; the exit code follows from it',
  }),
  warnings: z.array(z.string()).meta({ description: 'every problem as a sentence' }),
  error: z.object({ message: z.string(), remedy: z.string().nullable() }).nullable(),
  next_command: z.string().nullable(),
});
export type RunSummary = z.infer<typeof runSummary>;
