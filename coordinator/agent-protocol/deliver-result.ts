import type { z } from 'zod';
import type { ReceivedResults, resultsResponse } from '../contract/agent-protocol.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/db/client.ts';
import { invalidField } from '../platform/errors.ts';
import { jobOfToken } from '../jobs/caller.ts';
import type { LockedJob } from '../lifecycle/queries/jobs.ts';
import { settleJob } from '../lifecycle/settle-job.ts';
import { jobHasEnded } from '../lifecycle/states/job-state.ts';
import { resultsToStore } from './results-to-store.ts';
import { taskHasEnded } from '../lifecycle/states/task-state.ts';
import { changeTaskState } from '../lifecycle/change-task-state.ts';
import { checkResult } from './check-result.ts';
import { hasDeliveredAll } from '../lifecycle/delivered-all.ts';
import { storeDevices, storeInventory } from '../lifecycle/describe-machine.ts';
import { endTask, publishTask } from '../lifecycle/end-task.ts';
import { announceRaw, keepResult } from './keep-result.ts';
import { leaseFrom } from '../lifecycle/leases/lease.ts';
import { demandSession, demandUnarchived, jobNotActive, lockNode } from '../lifecycle/act.ts';
import { placeResult } from './place-result.ts';
import { insertResult, selectStored, type StoredResult } from './queries/results.ts';
import { addWarnings, renewLease, type LockedTask } from '../lifecycle/queries/tasks.ts';
import { splitResult, type SplitResult } from './split-result.ts';
import type { Secret } from '../lifecycle/task-secret.ts';

type Input = ReceivedResults & Secret;

/**
 * Stores one result, once: its content key decides, in the transaction that moves the states. Taken from the session that
 * holds the task, also from a lost node and after the end (then marked late; see place-result.ts for what counts). Throws
 * `validation`, `not_found`, `too_large`, 403, 409 for another epoch, an archived or an aborted job and for too many.
 */
export async function deliverResult(context: Context, input: Input): Promise<z.input<typeof resultsResponse>> {
  const { jobId } = jobOfToken(context.actor);
  checkResult(jobId, input);
  const split = splitResult(resultsToStore(input));
  await announceRaw(context, split);
  return context.sql.begin(async (tx) => {
    const { job, task } = await lockNode(tx, jobId, input.task_id);
    demandUnarchived(job);
    demandSession(task, input);
    if (task.machine_uuid !== input.machine_uuid) throw invalidField('machine_uuid', 'is not the machine of this task');
    const placed = { ...input, item: placeOf(job, input) };
    const stored = await selectStored(tx, task.id);
    const known = stored.find((one) => one.result_key === input.result_key);
    const outcome = known
      ? { job, task, keptAside: known.kept_aside }
      : await store(context, tx, { job, task }, { input: placed, split }, stored);
    context.note({ task_id: task.id, duplicate: known !== undefined, kept_aside: outcome.keptAside });
    return {
      result_key: input.result_key,
      duplicate: known !== undefined,
      kept_aside: outcome.keptAside,
      task_state: outcome.task.state,
      job_state: outcome.job.state,
    };
  });
}

interface Node {
  job: LockedJob;
  task: LockedTask;
}

async function store(
  context: Context,
  tx: Transaction,
  node: Node,
  { input, split }: { input: Input & { item: number }; split: SplitResult },
  stored: readonly StoredResult[],
): Promise<Node & { keptAside: boolean }> {
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
    jobId: job.id,
    taskId: task.id,
    benchmarkId: input.benchmark_id,
    item: input.item,
    attempt: input.attempt,
    resultKey: input.result_key,
    state: input.state,
    startedAt: input.started_at,
    endedAt: input.ended_at,
    config: job.benchmark_sequence[input.item]?.config ?? null,
    results: kept.inline,
    raw: kept.raw,
    errorMessage: input.error_message,
    epoch: task.epoch,
    late,
    keptAside,
    now: context.now(),
  });
  if (keptAside) return { ...node, keptAside };
  return { ...(await take(context, tx, job, task, input)), keptAside };
}

/** The part of the job's sequence that was measured: it has the configuration under which the figures hold. */
function placeOf(job: LockedJob, { benchmark_id, item }: ReceivedResults): number {
  const first = job.benchmark_sequence.findIndex((asked) => asked.benchmark_id === benchmark_id);
  if (first === -1)
    throw invalidField('benchmark_id', `is not part of this job; its benchmarks are ${job.benchmarks.join(', ')}`);
  const place = item ?? first;
  if (job.benchmark_sequence[place]?.benchmark_id !== benchmark_id)
    throw invalidField('item', `is not the place of ${benchmark_id} in this job`);
  return place;
}

/** What a new result changes beside itself: the task's machine and state, and through it the job. */
async function take(context: Context, tx: Transaction, job: LockedJob, task: LockedTask, input: ReceivedResults) {
  await addWarnings(tx, task.id, input.warnings);
  const described = await describe(tx, task, input);
  const moved = await move(context, tx, job, described);
  const lateResult = jobHasEnded(job.state) && input.state === 'completed';
  return { task: moved, job: await settleJob(context, tx, job, { lateResult }) };
}

async function describe(tx: Transaction, task: LockedTask, { payload }: ReceivedResults): Promise<LockedTask> {
  if (payload === null) return task;
  const { benchmark_results, ...inventory } = payload;
  const devices = benchmark_results.quick_mark.test_results;
  await storeInventory(tx, task.id, inventory);
  await storeDevices(tx, task.id, devices);
  return { ...task, simulated: task.simulated || devices.some((device) => device.simulated) };
}

async function move(context: Context, tx: Transaction, job: LockedJob, task: LockedTask) {
  if (taskHasEnded(task.state)) {
    await publishTask(context, tx, task);
    return task;
  }
  // Nobody may be left to say "complete" for a lost node: having delivered everything says it.
  if (task.state === 'lost' && (await hasDeliveredAll(tx, job, task))) return endTask(context, tx, task, 'completed');
  const now = context.now();
  await renewLease(tx, { taskId: task.id, epoch: task.epoch, phase: 'uploading', now, expiresAt: leaseFrom(now) });
  return changeTaskState(tx, task, { kind: 'result' }, { now });
}
