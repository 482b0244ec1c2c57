import type { CreatedJob, CreateJobRequest } from '../contract/create-job.ts';
import type { Context } from '../platform/context.ts';
import { ownCustomer, personOf } from '../platform/actor.ts';
import { claimIdempotencyKey } from './idempotency.ts';
import { currentTokenKey, jobToken, linesOf } from './job-token.ts';
import { findTokenRow } from './queries.ts';
import { addJob, type NewJob } from '../lifecycle/job-rows.ts';
import { canonicalJson } from '../contract/result-key.ts';
import { type BenchmarkItem, benchmarkNames } from '../lifecycle/benchmarks.ts';
import { invalidField, DomainError } from '../platform/errors.ts';
import { networkConfig, networkLimits } from '../contract/network-config.ts';

/** Bytes of the token's id: 128 bits, never shown outside the signed token. */
const TOKEN_ID_BYTES = 16;

/**
 * A new job in state created and the token its agents use. With an idempotency key a repeat within 24 h gets the first
 * answer and `replayed`. Throws `validation` for an unknown or duplicate benchmark, `conflict` for a name in use.
 */
export async function createJob(
  context: Context,
  input: CreateJobRequest,
  idempotencyKey?: string,
): Promise<{ job: CreatedJob; replayed: boolean }> {
  const tokenKid = await currentTokenKey(context);
  const job = newJob(context, input, tokenKid);
  const answer = answerOf(job);
  const repeated = await context.sql.begin(async (tx) => {
    if (idempotencyKey !== undefined) {
      const claim = {
        customer_id: job.customer_id,
        key: idempotencyKey,
        request: input,
        status: 201,
        body: answer,
        created_at: job.created_at,
      };
      const first = await claimIdempotencyKey(tx, claim);
      if (first) return first;
    }
    await addJob(tx, job);
    return null;
  });
  if (repeated)
    return { job: await withToken(context, repeated as Omit<CreatedJob, 'token' | 'launch'>), replayed: true };
  context.note({ job_id: job.id });
  return { job: await withToken(context, answer), replayed: false };
}

function newJob(context: Context, input: CreateJobRequest, tokenKid: string): NewJob {
  const now = context.now();
  const sequence = benchmarkSequence(input.benchmarks);
  return {
    id: context.newId(),
    customer_id: ownCustomer(context.actor),
    created_by: personOf(context.actor),
    name: input.name ?? generatedJobName(now, context.randomBytes),
    description: input.description ?? '',
    node_count: input.node_count,
    benchmark_sequence: sequence,
    benchmarks: [...new Set(sequence.map((item) => item.benchmark_id))],
    tags: [...new Set(input.tags)],
    token_id: context.randomBytes(TOKEN_ID_BYTES).toString('hex'),
    token_kid: tokenKid,
    created_at: now,
    expires_at: new Date(now.getTime() + context.config.jobTokenHours * 3_600_000),
  };
}

const answerOf = (job: NewJob): Omit<CreatedJob, 'token' | 'launch'> => ({
  id: job.id,
  name: job.name,
  description: job.description,
  node_count: job.node_count,
  benchmarks: job.benchmarks,
  tags: job.tags,
  created_at: job.created_at.toISOString(),
  expires_at: job.expires_at.toISOString(),
});

/** The stored answer has no token: the token is derived again from the row. */
async function withToken(context: Context, answer: Omit<CreatedJob, 'token' | 'launch'>): Promise<CreatedJob> {
  const row = await findTokenRow(context.sql, { id: answer.id, customerId: ownCustomer(context.actor) });
  if (!row) throw new Error(`job ${answer.id} has a kept answer and no row`);
  const token = await jobToken(context, row);
  // a fixed order of the fields, whatever order the database keeps them in
  return {
    id: answer.id,
    name: answer.name,
    description: answer.description,
    node_count: answer.node_count,
    benchmarks: answer.benchmarks,
    tags: answer.tags,
    token,
    created_at: answer.created_at,
    expires_at: answer.expires_at,
    launch: await linesOf(context, { jobId: answer.id, token, nodeCount: answer.node_count }),
  };
}

/** Letters that cannot be misread; 32 of them, so that one byte's low five bits pick one without bias. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const RANDOM_LETTERS = 8;

/** A name for a job without one, e.g. `benchmark-20261121-114005-k3m9x2ab`: 34 characters, 2^40 names per second. */
function generatedJobName(now: Date, randomBytes: (count: number) => Buffer): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const suffix = [...randomBytes(RANDOM_LETTERS)].map((byte) => LETTERS[byte & 31]).join('');
  return `benchmark-${stamp}-${suffix}`;
}

/**
 * The sequence a job runs: what was asked for, with quick_mark first if it was not named. Throws a validation error
 * for an unknown id, a wrong config and for the same id with the same config twice.
 */
function benchmarkSequence(asked: CreateJobRequest['benchmarks']): BenchmarkItem[] {
  const items = asked.map((item) =>
    typeof item === 'string'
      ? { benchmark_id: item, config: null }
      : { benchmark_id: item.benchmark_id, config: item.config ?? null },
  );
  for (const { benchmark_id } of items) {
    if (!Object.hasOwn(benchmarkNames, benchmark_id)) {
      const known = Object.keys(benchmarkNames).join(', ');
      throw invalidField(
        'benchmarks',
        `names the unknown benchmark ${JSON.stringify(benchmark_id)}; known are ${known}`,
      );
    }
  }
  for (const [place, item] of items.entries()) {
    if (item.benchmark_id === 'cluster_network') checkNetworkConfig(item.config, `benchmarks[${place}].config`);
  }
  const keys = items.map((item) => `${item.benchmark_id} ${canonicalJson(item.config)}`);
  const twice = items[keys.findIndex((key, index) => keys.indexOf(key) !== index)];
  if (twice) throw invalidField('benchmarks', `names ${twice.benchmark_id} twice with the same config`);
  const hasQuickMark = items.some((item) => item.benchmark_id === 'quick_mark');
  return hasQuickMark ? items : [{ benchmark_id: 'quick_mark', config: null }, ...items];
}

const range = ({ min, max }: { min: number; max: number }): string => `${min} to ${max}`;

/** The valid values of each key, for validation errors. */
const remedies: Readonly<Record<string, string>> = {
  timeout: `must be a number of seconds, ${range(networkLimits.timeoutSeconds)}`,
  graph: 'must be auto, full or degree',
  degree: `must be an integer, ${range(networkLimits.degree)}, and goes with graph degree, which needs it`,
  slot_seconds: `must be a number of seconds, ${range(networkLimits.slotSeconds)}`,
  transport: 'must be auto, tcp, rdma_host or rdma_gpu',
  port_range: 'must be two ports with a dash between, the lower first, such as 20000-20999',
  streams: `must be an integer, ${range(networkLimits.streams)}`,
  ping_pause_ms: `must be a number of milliseconds, ${range(networkLimits.pingPauseMs)}`,
  join_seconds: `must be a number of seconds, ${range(networkLimits.joinSeconds)}`,
  collective: 'must be auto or off',
};

/** Throws a validation error that names each invalid key below `where` and its valid values. */
function checkNetworkConfig(config: unknown, where: string): void {
  if (config === null) return;
  const parsed = networkConfig.safeParse(config);
  if (parsed.success) return;
  const keys = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? '')))];
  const fields = keys.map((key) => ({
    path: ['body', key === '' ? where : `${where}.${key}`],
    message: remedies[key] ?? 'must be an object',
    type: 'value_error',
  }));
  throw new DomainError('validation', fields.map(({ path, message }) => `${path[1]} ${message}`).join('; '), {
    fields,
  });
}
