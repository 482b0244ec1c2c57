import type { z } from 'zod';
import type { ReceivedResults, ResultsRequest, resultsResponse } from '../contract/agent-protocol.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { invalidField } from '../platform/errors.ts';
import { jobOfToken } from '../platform/actor.ts';
import type { LockedJob, LockedTask } from '../lifecycle/locked-rows.ts';
import { jobHasEnded, taskHasEnded } from '../lifecycle/states.ts';
import {
  addWarnings,
  changeTaskState,
  renewLease,
  storeDevices,
  storeInventory,
  storeJudgement,
} from '../lifecycle/change-task.ts';
import { hasDeliveredAll, endTask, publishTask } from '../lifecycle/end-task.ts';
import { announceRaw, keepResult, placeResult, splitResult, type SplitResult } from './keep-result.ts';
import { act, type Node } from '../lifecycle/act.ts';
import { jobNotActive, type Secret } from '../lifecycle/session.ts';
import { insertResult, selectStored, type StoredResult } from './queries.ts';
import type { QuickMarkResults } from '../contract/quick-mark.ts';
import { judgeResults } from '../figures/judge-results.ts';
import { resultKeyOf } from '../contract/result-key.ts';
import { sizeCaps } from '../contract/size-caps.ts';

type Input = ReceivedResults & Secret;

/**
 * Stores one result exactly once, by its content key, in the transaction that moves the states. Accepted from the session that
 * holds the task, also from a lost node and after the end (then marked late; `placeResult` decides what counts). Throws
 * `validation`, `not_found`, `too_large`, 403, and 409 for another epoch, an archived or aborted job, or too many results.
 */
export async function deliverResult(context: Context, input: Input): Promise<z.input<typeof resultsResponse>> {
  const { jobId } = jobOfToken(context.actor);
  checkResult(jobId, input);
  const judged = resultsToStore(input);
  const split = splitResult(judged);
  await announceRaw(context, split);
  const outcome = await act(context, { session: input, accepts: 'while_unarchived' }, async (tx, { job, task }) => {
    if (task.machine_uuid !== input.machine_uuid) throw invalidField('machine_uuid', 'is not the machine of this task');
    const placed = { ...input, item: placeOf(job, input) };
    const stored = await selectStored(tx, task.id);
    const known = stored.find((one) => one.result_key === input.result_key);
    if (known) return { task, duplicate: true, keptAside: known.kept_aside };
    return { duplicate: false, ...(await store(context, tx, { job, task }, { input: placed, split, judged }, stored)) };
  });
  const { task, job, duplicate, keptAside } = outcome;
  context.note({ task_id: task.id, duplicate, kept_aside: keptAside });
  return {
    result_key: input.result_key,
    duplicate,
    kept_aside: keptAside,
    task_state: task.state,
    job_state: job.state,
  };
}

interface Stored {
  task: LockedTask;
  keptAside: boolean;
  settle?: { lateResult: boolean };
}

async function store(
  context: Context,
  tx: Transaction,
  node: Node,
  { input, split, judged }: { input: Input & { item: number }; split: SplitResult; judged: QuickMarkResults | null },
  stored: readonly StoredResult[],
): Promise<Stored> {
  const { job, task } = node;
  if (job.state === 'aborted') throw jobNotActive('The job was aborted; it takes no results.');
  const { keptAside } = placeResult(node, stored, input);
  const late = jobHasEnded(job.state) || taskHasEnded(task.state) || task.state === 'lost';
  const kept = await keepResult(context, tx, {
    jobId: job.id,
    customerId: job.customer_id,
    taskId: task.id,
    benchmarkId: input.benchmark_id,
    split,
  });
  await insertResult(tx, {
    id: context.newId(),
    job_id: job.id,
    task_id: task.id,
    benchmark_id: input.benchmark_id,
    item: input.item,
    attempt: input.attempt,
    result_key: input.result_key,
    state: input.state,
    started_at: input.started_at,
    ended_at: input.ended_at,
    config: job.benchmark_sequence[input.item]?.config ?? null,
    results: kept.inline,
    raw_artifact_id: kept.raw?.id ?? null,
    raw_bytes: kept.raw?.bytes ?? 0,
    error_message: input.error_message,
    epoch: task.epoch,
    late,
    kept_aside: keptAside,
    received_at: context.now(),
  });
  if (keptAside) return { task, keptAside };
  const lateResult = jobHasEnded(job.state) && input.state === 'completed';
  return { task: await applyResult(context, tx, node, input, judged), keptAside, settle: { lateResult } };
}

/** The index in the job's sequence of what was measured: that item has the configuration of the figures. */
function placeOf(job: LockedJob, { benchmark_id, item }: ReceivedResults): number {
  const first = job.benchmark_sequence.findIndex((asked) => asked.benchmark_id === benchmark_id);
  if (first === -1)
    throw invalidField('benchmark_id', `is not part of this job; its benchmarks are ${job.benchmarks.join(', ')}`);
  const place = item ?? first;
  if (job.benchmark_sequence[place]?.benchmark_id !== benchmark_id)
    throw invalidField('item', `is not the index of a ${benchmark_id} in this job`);
  return place;
}

/** Updates the task of a new result: its warnings, machine, judgement and state. */
async function applyResult(
  context: Context,
  tx: Transaction,
  node: Node,
  input: ReceivedResults,
  judged: QuickMarkResults | null,
): Promise<LockedTask> {
  await addWarnings(tx, node.task.id, input.warnings);
  const task = await storeMachine(tx, node.task, input);
  if (judged !== null) await storeJudgement(tx, node, judged);
  if (taskHasEnded(task.state)) {
    await publishTask(context, tx, task);
    return task;
  }
  // A lost node may have no process left to call "complete": having delivered everything counts as that.
  if (task.state === 'lost' && (await hasDeliveredAll(tx, node.job, task)))
    return endTask(context, tx, task, 'completed');
  await renewLease(context, tx, task, 'uploading');
  return changeTaskState(tx, task, { kind: 'result' }, { now: context.now() });
}

async function storeMachine(tx: Transaction, task: LockedTask, { payload }: ReceivedResults): Promise<LockedTask> {
  if (payload === null) return task;
  const { benchmark_results, ...inventory } = payload;
  const devices = benchmark_results.quick_mark.test_results;
  await storeInventory(tx, task.id, inventory);
  await storeDevices(tx, task.id, devices);
  return { ...task, simulated: task.simulated || devices.some((device) => device.simulated) };
}

/** What is stored of an upload's measurements. For other benchmarks the coordinator makes the results itself. */
const resultsToStore = ({ benchmark_id, payload }: ResultsRequest): QuickMarkResults | null =>
  benchmark_id === 'quick_mark' && payload !== null ? judgeResults(payload.benchmark_results.quick_mark) : null;

/** What a result must satisfy before the database is read. Throws a validation error naming the field. */
function checkResult(jobId: string, input: ReceivedResults): void {
  if (input.result_key !== resultKeyOf(jobId, input, input.content_hash)) {
    throw invalidField(
      'result_key',
      'is not the key of this content: the body was altered on the way or belongs to another job',
    );
  }
  if (input.payload === null) {
    if (input.state === 'completed') throw invalidField('payload', 'must not be null if state is completed');
  } else if (input.payload.machine_uuid !== input.machine_uuid) {
    throw invalidField('payload.machine_uuid', 'differs from machine_uuid');
  }
  const bytes = input.results_bytes;
  if (bytes > sizeCaps.resultBytes) {
    throw invalidField(
      'payload.benchmark_results',
      `is ${bytes} bytes; at most ${sizeCaps.resultBytes} are kept: leave samples out of its details`,
    );
  }
  if (Date.parse(input.ended_at) < Date.parse(input.started_at)) throw invalidField('ended_at', 'is before started_at');
}
