import type { z } from 'zod';
import type { ReceivedResults, resultsResponse } from '../../contract/agent-protocol.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { invalidField } from '../../platform/errors.ts';
import { jobOfToken } from '../caller.ts';
import type { LockedJob } from '../ending/queries.ts';
import { settleJob } from '../ending/settle-job.ts';
import { jobHasEnded } from '../job-state.ts';
import { taskHasEnded } from '../task-state.ts';
import { changeTaskState } from './change-task-state.ts';
import { checkResult } from './check-result.ts';
import { hasDeliveredAll } from './delivered-all.ts';
import { storeDevices, storeInventory } from './describe-machine.ts';
import { endTask, publishTask } from './end-task.ts';
import { leaseFrom } from './lease.ts';
import { demandUnarchived, lockNode } from './locked-node.ts';
import { insertResult } from './queries/results.ts';
import { addWarnings, renewLease, type LockedTask } from './queries/tasks.ts';

/**
 * Stores one result, once: its content key decides, in the transaction that moves the states. Kept from a lost node, an
 * older session and after the job's end (then marked late). Throws `validation`, `not_found`, 409 for an archived job.
 */
export async function deliverResult(
  context: Context,
  input: ReceivedResults,
): Promise<z.input<typeof resultsResponse>> {
  const { jobId } = jobOfToken(context.actor);
  checkResult(jobId, input);
  return context.sql.begin(async (tx) => {
    const { job, task } = await lockNode(tx, jobId, input.task_id);
    demandUnarchived(job);
    if (task.machine_uuid !== input.machine_uuid) throw invalidField('machine_uuid', 'is not the machine of this task');
    const item = itemOf(job, input);
    const late =
      jobHasEnded(job.state) || taskHasEnded(task.state) || task.state === 'lost' || input.epoch !== task.epoch;
    const inserted = await insertResult(tx, {
      id: context.newId(),
      jobId,
      taskId: task.id,
      benchmarkId: input.benchmark_id,
      attempt: input.attempt,
      resultKey: input.result_key,
      state: input.state,
      startedAt: input.started_at,
      endedAt: input.ended_at,
      config: item.config,
      results: input.payload?.benchmark_results[input.benchmark_id] ?? null,
      errorMessage: input.error_message,
      epoch: input.epoch,
      late,
      now: context.now(),
    });
    const after = inserted ? await take(context, tx, job, task, input) : { job, task };
    context.note({ task_id: task.id, late, duplicate: !inserted });
    return {
      result_key: input.result_key,
      duplicate: !inserted,
      task_state: after.task.state,
      job_state: after.job.state,
    };
  });
}

/** The part of the job's sequence that was measured: it has the configuration under which the figures hold. */
function itemOf(
  job: LockedJob,
  { benchmark_id, item: place }: ReceivedResults,
): LockedJob['benchmark_sequence'][number] {
  const first = job.benchmark_sequence.find((item) => item.benchmark_id === benchmark_id);
  if (!first)
    throw invalidField('benchmark_id', `is not part of this job; its benchmarks are ${job.benchmarks.join(', ')}`);
  const item = place === undefined ? first : job.benchmark_sequence[place];
  if (item?.benchmark_id !== benchmark_id)
    throw invalidField('item', `is not the place of ${benchmark_id} in this job`);
  return item;
}

/** What a new result changes beside itself: the task's machine and state, and through it the job. */
async function take(context: Context, tx: Transaction, job: LockedJob, task: LockedTask, input: ReceivedResults) {
  await addWarnings(tx, task.id, input.warnings);
  const described = await describe(tx, task, input);
  const moved = await move(context, tx, job, described, input);
  const lateResult = jobHasEnded(job.state) && input.state === 'completed';
  return { task: moved, job: await settleJob(context, tx, job, { lateResult }) };
}

async function describe(tx: Transaction, task: LockedTask, { epoch, payload }: ReceivedResults): Promise<LockedTask> {
  if (payload === null) return task;
  const { benchmark_results, ...inventory } = payload;
  const devices = benchmark_results.quick_mark.test_results;
  // a session that was replaced does not overwrite what its successor found
  if (epoch === task.epoch) {
    await storeInventory(tx, task.id, inventory);
    await storeDevices(tx, task.id, devices);
  }
  return { ...task, simulated: task.simulated || devices.some((device) => device.simulated) };
}

async function move(context: Context, tx: Transaction, job: LockedJob, task: LockedTask, input: ReceivedResults) {
  if (taskHasEnded(task.state)) {
    await publishTask(context, tx, task);
    return task;
  }
  // Nobody may be left to say "complete" for a lost node: having delivered everything says it.
  if (task.state === 'lost' && (await hasDeliveredAll(tx, job, task))) return endTask(context, tx, task, 'completed');
  if (input.epoch !== task.epoch) return task;
  const now = context.now();
  await renewLease(tx, { taskId: task.id, epoch: task.epoch, phase: 'uploading', now, expiresAt: leaseFrom(now) });
  return changeTaskState(tx, task, { kind: 'result' }, { now });
}
