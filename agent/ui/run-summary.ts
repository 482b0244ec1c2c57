import { z } from 'zod';

/** ok: trust it · warn: measured, but a rule tripped · bad: the result was wrong · absent: not measured, see reason */
export const verdict = z.enum(['ok', 'warn', 'bad', 'absent']);
export type Verdict = z.infer<typeof verdict>;

export const metricSummary = z.object({
  metric: z.string(),
  value: z.number().nullable(),
  unit: z.string(),
  n: z.int().nullable(),
  cv: z.number().nullable().meta({ description: 'standard deviation / mean of the n samples' }),
  verdict,
  reason: z.string().nullable().meta({ description: 'the rule that tripped, or why there is no value' }),
  absence: z.enum(['hardware', 'failed']).nullable().meta({
    description: 'of an absent figure: the device has no such thing, or measuring it failed; null where not told',
  }),
});
export type MetricSummary = z.infer<typeof metricSummary>;

export const deviceSummary = z.object({
  device_id: z.string(),
  name: z.string(),
  vendor: z.string(),
  simulated: z.boolean(),
  verdict,
  metrics: z.array(metricSummary),
});
export type DeviceSummary = z.infer<typeof deviceSummary>;

/** The last event of every run, also of one that failed. Additive changes keep the schema's number. */
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
  warnings: z.array(z.string()),
  error: z.object({ message: z.string(), remedy: z.string().nullable() }).nullable(),
  next_command: z.string().nullable(),
});
export type RunSummary = z.infer<typeof runSummary>;
