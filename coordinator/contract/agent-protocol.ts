import { z } from 'zod';
import { boundedJson, overBounds, without } from './bounded-json.ts';
import { machineInventory } from './inventory.ts';
import { quickMarkResults } from './quick-mark.ts';
import { contentHash } from './result-key.ts';
import { sizeCaps } from './size-caps.ts';
import { digitsId, instant, text } from './wire.ts';

/**
 * The whole protocol between one agent and the coordinator, under `/api/gpu-mark/v1/agent/`.
 *
 * Order:   register -> (heartbeat every `heartbeat_seconds`, during everything else) -> inventory -> results (one
 *          per benchmark) -> complete | fail. `GET job` at any time.
 * Retry:   every call is safe to repeat. Network errors, 429 and 5xx are retried with full jitter and Retry-After;
 *          400, 401, 403, 404, 409 and 413 are final.
 * Fencing: register hands out `epoch` and `task_secret`. Every later call of the task carries both, the secret in the header
 *          `X-Task-Secret`: the nodes of a job share its token, so the token alone identifies no node. A wrong epoch gets 409
 *          `STALE_EPOCH`, a wrong secret 403 `TASK_SECRET_INVALID`, before anything is changed. A session that takes over a
 *          lost task gets the next epoch and a new secret; later calls of its predecessor are refused.
 * Lease:   a beat extends the lease by `lease_seconds`. A task without a beat for that long becomes `lost` at the next
 *          sweep; a later beat, result or completion brings it back.
 */
export const agentProtocolVersion = 1;

/** Seconds. A node is lost after four and a half missed beats; with the sweep this is noticed within 50 s. */
export const leaseTimes = { heartbeat_seconds: 10, lease_seconds: 45, sweep_seconds: 5 } as const;

/** What the agent is doing; `measuring` moves the task to running, `uploading` to uploading. */
const agentPhase = z.enum(['waiting', 'inventory', 'measuring', 'uploading']);
export type AgentPhase = z.infer<typeof agentPhase>;

export const jobState = z.enum([
  'created',
  'starting',
  'running',
  'completed',
  'aborted',
  'failed',
  'completed_with_warnings',
]);
export type JobState = z.infer<typeof jobState>;

export const taskState = z.enum(['registered', 'running', 'uploading', 'completed', 'failed', 'aborted', 'lost']);
export type TaskState = z.infer<typeof taskState>;

export const benchmarkState = z.enum(['pending', 'running', 'completed', 'failed', 'skipped']);
export type BenchmarkState = z.infer<typeof benchmarkState>;

export const benchmarkItem = z.object({
  benchmark_id: text(60, 1),
  config: z.record(z.string(), z.unknown()).nullable(),
});

/** The agent's view of its job. */
export const agentJob = z.object({
  id: z.string(),
  name: z.string(),
  state: jobState,
  node_count: z.int(),
  current_nodes: z.int(),
  benchmark_sequence: z.array(benchmarkItem),
  expires_at: instant,
});

/** Counts the sessions of a task; stored in a 32-bit column. */
const epoch = z.int().min(1).max(2_147_483_647);

/**
 * `POST register`. Idempotent by (job, machine_uuid, session_id): the same process asking again gets the same task, epoch
 * and secret, so a session must keep its id secret. A new session of a machine whose lease has run out takes over the task
 * with epoch + 1; while the lease is live it gets 409 `MACHINE_ALREADY_ACTIVE` with Retry-After. A machine beyond node_count
 * gets 409 `JOB_FULL`; a job that has ended, 409 `JOB_NOT_ACTIVE`; a machine that has already delivered, 409
 * `RESOURCE_ALREADY_EXISTS`.
 */
export const registerRequest = z.looseObject({
  machine_uuid: text(60, 1),
  session_id: z.uuid().meta({ description: 'random per agent process' }),
  agent_version: text(60, 1),
  protocol_version: z.literal(agentProtocolVersion),
  hostname: text(255).nullable().optional(),
  launcher: z
    .record(text(60), text(400))
    .refine(
      (facts) => Object.keys(facts).length <= sizeCaps.launcherFacts,
      `must have at most ${sizeCaps.launcherFacts} facts`,
    )
    .optional()
    .meta({ description: `Slurm or Kubernetes rank facts, at most ${sizeCaps.launcherFacts}` }),
});
export const registerResponse = z.object({
  task_id: z.string(),
  epoch: z.int().positive(),
  task_secret: z
    .string()
    .meta({ description: 'opaque; for the header X-Task-Secret of every later call of this task' }),
  heartbeat_seconds: z.number().positive(),
  lease_seconds: z.number().positive(),
  server_time: instant,
  country: z.string().nullable().meta({ description: 'country of the caller by a trusted proxy header, else null' }),
  page_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: "the job's page for people; earlier coordinators do not say it" }),
  job: agentJob,
});

/** `POST heartbeat`. Answered after the beat is durable. `stop` asks the agent to end its run. */
export const heartbeatRequest = z.object({
  task_id: digitsId,
  epoch,
  phase: agentPhase,
  progress: z.number().min(0).max(1).nullable().optional(),
});
export const heartbeatResponse = z.object({
  task_state: taskState,
  job_state: jobState,
  heartbeat_seconds: z.number().positive(),
  lease_seconds: z.number().positive(),
  stop: z.object({ reason: z.string() }).nullable(),
});

const SHORTER = 'send less of what the interface does not name';

/** `POST inventory`. The last one before the end of the task wins; later ones are acknowledged and change nothing. */
export const inventoryRequest = z.object({
  task_id: digitsId,
  epoch,
  inventory: boundedJson(machineInventory, sizeCaps.inventory, SHORTER).meta({
    description: `At most ${sizeCaps.inventory.bytes} bytes`,
  }),
});

/** The upload payload of the interface: inventory at the top level, measurements below. */
export const uploadPayload = machineInventory
  .extend({ benchmark_results: z.looseObject({ quick_mark: quickMarkResults }) })
  .refine((payload) => overBounds(without('benchmark_results', payload), sizeCaps.inventory) === null, {
    error: ({ input }) =>
      `without benchmark_results ${overBounds(without('benchmark_results', input), sizeCaps.inventory) ?? 'is too large'}; ${SHORTER}`,
  })
  .meta({
    description: `\`benchmark_results\` at most ${sizeCaps.resultBytes} bytes, the rest at most ${sizeCaps.inventory.bytes}`,
  });
export type UploadPayload = z.infer<typeof uploadPayload>;

/** Most results stored for one task; a further one gets 409 `RESULT_LIMIT`, and the results that count stay. */
export const resultLimits = {
  per_task: 60,
  /** per session, benchmark and attempt */
  per_attempt: 3,
  kept_aside: 10,
} as const;

/**
 * `POST results`. Idempotent by `result_key` (contract/result-key.ts), which is checked against the content and inserted in
 * the transaction that changes the states; a repeat answers `duplicate: true` and is not counted again. While the task runs
 * the newest attempt counts. After the end of the task or the job, and in the grace period after token expiry, the first
 * result of a benchmark is still accepted; any further one is kept aside: shown with the task, but not counted. Refused when
 * the job is aborted, deleted or archived. The results of a task and of a job are bounded (size-caps.ts): a larger one gets
 * 413, and the stored ones stay.
 */
export const resultsRequest = z.object({
  task_id: digitsId,
  epoch,
  machine_uuid: text(60, 1),
  benchmark_id: text(60, 1),
  item: z
    .int()
    .min(0)
    .max(19)
    .optional()
    .meta({ description: 'its place in benchmark_sequence, from 0; absent: the first of that benchmark' }),
  attempt: z.int().min(1).max(1000),
  result_key: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits'),
  state: z.enum(['completed', 'failed', 'skipped']),
  started_at: instant,
  ended_at: instant,
  error_message: text(2000).nullable(),
  warnings: z.array(text(500)).max(100),
  payload: uploadPayload.nullable().meta({ description: 'null only where state is failed or skipped' }),
});
export type ResultsRequest = z.infer<typeof resultsRequest>;

/** The parsed request with what takes a walk over the whole payload, computed where it is parsed: possibly on a worker thread. */
export const receivedResults = resultsRequest.transform((request) => ({
  ...request,
  content_hash: contentHash(request.payload),
  results_bytes: Buffer.byteLength(JSON.stringify(request.payload?.benchmark_results ?? null)),
}));
export type ReceivedResults = z.output<typeof receivedResults>;

export const resultsResponse = z.object({
  result_key: z.string(),
  duplicate: z.boolean(),
  kept_aside: z
    .boolean()
    .meta({ description: 'stored and shown, not counted: another result of this benchmark stands' }),
  task_state: taskState,
  job_state: jobState,
});

/** `POST complete`: the agent has delivered everything. With warnings the job ends completed_with_warnings. */
export const completeRequest = z.object({
  task_id: digitsId,
  epoch,
  warnings: z.array(text(500)).max(100),
});

/** `POST fail`: the agent gives up (`failed`) or was stopped by its operator (`aborted`). */
export const failRequest = z.object({
  task_id: digitsId,
  epoch,
  state: z.enum(['failed', 'aborted']),
  message: text(2000, 1),
});
export const taskOutcome = z.object({ task_state: taskState, job_state: jobState });

/** `GET job`: the job of the calling token and, if `X-Task-Secret` is sent, the caller's own task and its report. */
export const currentJobResponse = agentJob.extend({
  tasks: z.array(
    z.object({
      id: z.string(),
      state: taskState,
      pdf_report_url: z.string().nullable(),
    }),
  ),
  pdf_report_url: z.string().nullable(),
});

export const agentPaths = {
  register: '/api/gpu-mark/v1/agent/register',
  heartbeat: '/api/gpu-mark/v1/agent/heartbeat',
  inventory: '/api/gpu-mark/v1/agent/inventory',
  results: '/api/gpu-mark/v1/agent/results',
  complete: '/api/gpu-mark/v1/agent/complete',
  fail: '/api/gpu-mark/v1/agent/fail',
  job: '/api/gpu-mark/v1/agent/job',
} as const;
