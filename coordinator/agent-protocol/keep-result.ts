import { resultLimits, type ResultsRequest } from '../contract/agent-protocol.ts';
import { jsonSize, overBounds, without } from '../contract/bounded-json.ts';
import { deviceMetrics } from '../contract/quick-mark.ts';
import { sizeCaps } from '../contract/size-caps.ts';
import type { LockedJob, LockedTask } from '../lifecycle/locked-rows.ts';
import { jobHasEnded, taskHasEnded } from '../lifecycle/states.ts';
import { insertArtifact } from '../platform/artifacts/queries.ts';
import { announceFile } from '../platform/artifacts/store-file.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { DomainError } from '../platform/errors.ts';
import { sizesOf, type StoredResult } from './queries.ts';

/** A result ready to be stored: what answers show, and the file with the whole result if that is too large for them. */
interface KeptResult {
  inline: unknown;
  raw: { id: string; bytes: number } | null;
}

interface Result {
  jobId: string;
  customerId: string;
  taskId: string;
  benchmarkId: string;
  split: SplitResult;
}

const RAW = { contentType: 'application/json', extension: 'json' } as const;

/** Called before the transaction that may store the result: if that refuses it, the sweep still finds the file. */
export async function announceRaw(context: Context, { raw }: SplitResult): Promise<void> {
  if (raw !== null) await announceFile(context, raw, RAW);
}

/**
 * Makes sure that the task and the job of a locked node have room for a new result, and writes a large one in full to its
 * announced file. Throws `too_large`; what is stored stays.
 */
export async function keepResult(context: Context, tx: Transaction, result: Result): Promise<KeptResult> {
  const { inline, raw, bytes } = result.split;
  const sizes = await sizesOf(tx, result);
  demandRoom('task', sizes.task, bytes, sizeCaps.taskBytes);
  demandRoom('job', sizes.job, bytes, sizeCaps.jobBytes);
  if (raw === null) return { inline, raw };
  const id = context.newId();
  const { key, sha256, sizeBytes } = await context.artifacts.put(raw, RAW);
  await insertArtifact(tx, {
    id,
    job_id: result.jobId,
    customer_id: result.customerId,
    kind: 'raw_result',
    storage_key: key,
    file_name: rawFileName(result),
    content_type: RAW.contentType,
    sha256,
    size_bytes: sizeBytes,
    created_at: context.now(),
  });
  return { inline, raw: { id, bytes: raw.length } };
}

const rawFileName = ({ benchmarkId, taskId }: Result): string =>
  `gpumark-${benchmarkId.replaceAll(/[^\w-]/g, '_')}-${taskId}.json`;

function demandRoom(of: string, stored: number, more: number, most: number): void {
  if (stored + more <= most) return;
  throw new DomainError(
    'too_large',
    `payload.benchmark_results would make the results of the ${of} ${stored + more} bytes; at most ${most} are kept. ` +
      'Stored results are kept; deliver fewer details, or create another job.',
  );
}

/**
 * Whether a new result counts or is kept aside: after the end, the result that already counts stays. Throws 409
 * RESULT_LIMIT if the task, or this attempt of its session, already has as many results as it can store.
 */
export function placeResult(
  { job, task }: { job: LockedJob; task: LockedTask },
  stored: readonly StoredResult[],
  input: ResultsRequest & { item: number },
): { keptAside: boolean } {
  const ended = taskHasEnded(task.state) || jobHasEnded(job.state);
  const counted = stored.filter((one) => !one.kept_aside);
  const ofPlace = counted.filter(
    (one) => one.benchmark_id === input.benchmark_id && (one.item ?? input.item) === input.item,
  );
  const { per_task, per_attempt, kept_aside } = resultLimits;
  if (ended && ofPlace.length > 0) {
    if (stored.length - counted.length >= kept_aside)
      throw full(`The task has ended, and ${kept_aside} results are kept beside the ones that count`);
    return { keptAside: true };
  }
  if (counted.length >= per_task) throw full(`The task already has ${per_task} results, the maximum`);
  const ofAttempt = ofPlace.filter((one) => one.epoch === task.epoch && one.attempt === input.attempt);
  if (ofAttempt.length >= per_attempt)
    throw full(`Attempt ${input.attempt} of ${input.benchmark_id} already has ${per_attempt} results, the maximum`);
  return { keptAside: false };
}

const full = (what: string): DomainError =>
  new DomainError('conflict', `${what}; what counts stays. Create a job to measure again.`, { code: 'RESULT_LIMIT' });

export interface SplitResult {
  /** what every answer shows */
  inline: unknown;
  /** the whole result as JSON, for a file of its own; null if `inline` is the whole */
  raw: Buffer | null;
  /** of both together */
  bytes: number;
}

/** Deeper than any part of a result can nest. */
const LEVELS = 16;
/** Members of a figure's record that the report of a whole job shows, or that decide whether it is comparable across runs. */
const KEPT = [
  'arithmetic',
  'load',
  'before_seconds',
  'counted_seconds',
  'stats',
  'verified',
  'engine',
  'path',
  'mode',
  'core_share',
  'fraction_of_spec_peak',
  'spec_peak_tflops',
] as const;
const SMALL = { bytes: 256, depth: 2, members: 20 };

/** Removes what makes a large result large, the details of how each figure was taken: the figures and their spread stay. */
export function splitResult(results: unknown): SplitResult {
  const { bytes } = jsonSize(results, LEVELS);
  const devices = memberOf(results, 'test_results');
  if (bytes <= sizeCaps.inlineResultBytes || !Array.isArray(devices)) return { inline: results, raw: null, bytes };
  const test_results = devices.map((device: unknown) => ({
    ...Object(device),
    details: digest(memberOf(device, 'details')),
  }));
  // What the rules found in the machine's signals stays, not the signals.
  const inline = { ...Object(without('node_signals', results)), test_results };
  const raw = Buffer.from(JSON.stringify(results));
  return { inline, raw, bytes: raw.length + jsonSize(inline, LEVELS).bytes };
}

function digest(details: unknown): Record<string, unknown> {
  const figures = deviceMetrics.flatMap((metric): [string, unknown][] => {
    const record = memberOf(details, metric);
    const kept = KEPT.flatMap((name): [string, unknown][] => {
      const value = memberOf(record, name);
      return value === undefined || overBounds(value, SMALL) !== null ? [] : [[name, value]];
    });
    return kept.length === 0 ? [] : [[metric, Object.fromEntries(kept)]];
  });
  const run = memberOf(details, 'run');
  const versions = ['driver_version', 'vbios'].flatMap((name): [string, string][] => {
    const value = memberOf(memberOf(details, 'device'), name);
    return typeof value === 'string' && value.length <= 100 ? [[name, value]] : [];
  });
  const device = versions.length === 0 ? {} : { device: Object.fromEntries(versions) };
  return {
    ...Object.fromEntries(figures),
    ...device,
    ...(run === undefined || overBounds(run, SMALL) !== null ? {} : { run }),
  };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
