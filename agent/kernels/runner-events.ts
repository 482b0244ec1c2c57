import { z } from 'zod';
import { burstFigure } from '../../coordinator/contract/load-class.ts';
import { matrixEngine } from '../../coordinator/contract/matrix-engine.ts';

/** Schema name in every line of the runner's stdout; native/src/protocol/README.md describes the events. */
export const runnerSchema = 'gpumark.native/1';

const envelope = { schema: z.literal(runnerSchema), t_ms: z.number() };

export const runnerStats = z.object({
  n: z.int().positive(),
  min: z.number(),
  max: z.number(),
  median: z.number(),
  p5: z.number(),
  p95: z.number(),
  cv: z.number().nonnegative(),
});

/** A value of an unexpected type becomes undefined, so that a change in the runner does not end a run. */
const told = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** The part of the `details` of results and cells that this agent reads. All details are passed on unchanged. */
const knownDetails = z.object({
  absence: told(z.enum(['hardware', 'failed'])),
  core_share: told(z.number()),
  load_rank: told(z.number()),
  mode: told(z.string()),
  path: told(z.string()),
  settled: told(z.boolean()),
  power: told(z.object({ joules_per_tflop: z.number() })),
  heuristic_first_tflops: told(z.number().nonnegative()),
  burst: told(burstFigure),
  counter_agrees: told(z.boolean()),
});
type RunnerDetails = z.infer<typeof knownDetails>;
export const detailsOf = ({ details }: { details: Record<string, unknown> }): RunnerDetails =>
  knownDetails.parse(details);

/** The part of a device's `attributes` that this agent reads, besides the inventory (inventory/found-card.ts). */
const knownAttributes = z.object({
  telemetry_problem: told(z.string()),
  visible_devices: told(z.string()),
  driver_code: told(z.number()),
  mig_empty: told(z.boolean()),
});
type DeviceAttributes = z.infer<typeof knownAttributes>;
export const attributesOf = ({ attributes }: { attributes: Record<string, unknown> }): DeviceAttributes =>
  knownAttributes.parse(attributes);

const deviceEvent = z.object({
  ...envelope,
  event: z.literal('device'),
  backend: z.enum(['cpu', 'cuda', 'rocm']),
  vendor: z.enum(['cpu', 'nvidia', 'amd']),
  status: z.enum(['ok', 'no-driver', 'no-device', 'driver-too-old', 'error']),
  detail: z.string(),
  device_id: z.string().min(1),
  pci_id: z.string().nullable(),
  name: z.string(),
  memory_bytes: z.number().nullable(),
  simulated: z.boolean(),
  attributes: z.record(z.string(), z.unknown()),
});

const phaseEvent = z.object({
  ...envelope,
  event: z.literal('phase'),
  device_id: z.string(),
  benchmark: z.string(),
  state: z.enum(['start', 'end']),
  expected_seconds: z.number().nonnegative(),
  index: z.int().nonnegative(),
  count: z.int().positive(),
  /** In a run of several devices: this one works alone, while the others wait. */
  turn: z.boolean().optional(),
});

const sampleEvent = z.object({
  ...envelope,
  event: z.literal('sample'),
  device_id: z.string(),
  benchmark: z.string(),
  metric: z.string(),
  value: z.number(),
  unit: z.string(),
  index: z.int().nonnegative(),
  /** For matrix products, if a sensor reports it. */
  clock_mhz: z.number().nullable().optional(),
  throttle: z.array(z.string()).nullable().optional(),
});

/** A figure, or null with the reason; never both, never neither. */
export const resultEvent = z
  .object({
    ...envelope,
    event: z.literal('result'),
    device_id: z.string(),
    benchmark: z.string(),
    metric: z.string(),
    value: z.number().nullable(),
    unit: z.string(),
    reason: z.string().min(1).nullable(),
    stats: runnerStats.nullable(),
    verified: z.boolean().nullable(),
    engine: matrixEngine,
    details: z.record(z.string(), z.unknown()),
  })
  .refine((result) => (result.value === null) !== (result.reason === null), 'a result has either a value or a reason');

/** Measuring continues, but there is no figure yet. */
const progressEvent = z.object({ ...envelope, event: z.literal('progress') });

/** A missing sensor may be null or left out. */
const reading = z.number().nullable().default(null);

const telemetryEvent = z.object({
  ...envelope,
  event: z.literal('telemetry'),
  device_id: z.string(),
  power_watts: reading,
  temperature_celsius: reading,
  clock_mhz: reading,
  memory_clock_mhz: reading,
  memory_temperature_celsius: reading,
  throttle: z.array(z.string()).nullable().default(null),
});

/** One ordered pair of GPUs: GB/s of 1e9 bytes, `simplex_gbs` source to target alone, `duplex_gbs` both directions' sum. */
const cellEvent = z
  .object({
    ...envelope,
    event: z.literal('cell'),
    source_device_id: z.string(),
    target_device_id: z.string(),
    connection_type: z.string().min(1).max(100),
    peer_access: z.boolean(),
    simplex_gbs: z.number().nonnegative().nullable(),
    duplex_gbs: z.number().nonnegative().nullable(),
    reason: z.string().min(1).nullable(),
    stats: runnerStats.nullable(),
    duplex_stats: runnerStats.nullable(),
    verified: z.boolean().nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .refine((cell) => cell.simplex_gbs !== null || cell.reason !== null, 'a cell without a figure says why');

const errorEvent = z.object({
  ...envelope,
  event: z.literal('error'),
  device_id: z.string().nullable(),
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
});

const summaryEvent = z.object({
  ...envelope,
  event: z.literal('summary'),
  exit_code: z.int(),
  seconds: z.number(),
  contended: z.boolean(),
  contention_ratio: z.number().nullable(),
});

export const runnerEvent = z.discriminatedUnion('event', [
  deviceEvent,
  phaseEvent,
  sampleEvent,
  resultEvent,
  progressEvent,
  telemetryEvent,
  cellEvent,
  errorEvent,
  summaryEvent,
]);

export type RunnerEvent = z.infer<typeof runnerEvent>;
export type RunnerEventOf<Kind extends RunnerEvent['event']> = Extract<RunnerEvent, { event: Kind }>;
export type DeviceEvent = RunnerEventOf<'device'>;
export type CellEvent = RunnerEventOf<'cell'>;
export type ResultEvent = RunnerEventOf<'result'>;
