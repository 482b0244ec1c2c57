import { type AgentPhase, leaseTimes } from '../contract/agent-protocol.ts';
import type { MachineInventory } from '../contract/inventory.ts';
import type { QuickMarkResults, QuickMarkTestResult } from '../contract/quick-mark.ts';
import type { Context } from '../platform/context.ts';
import type { Queryable, Transaction } from '../platform/db/client.ts';
import { mayTakeLong } from '../platform/db/transactions.ts';
import type { LockedJob, LockedTask } from './locked-rows.ts';
import { sameNode } from '../figures/findings/job-judgement.ts';
import { nodeJudgement } from '../figures/findings/node-judgement.ts';
import { judgeStored } from '../figures/judge-results.ts';
import { nodeFigures } from './performance/node-figures.ts';
import { extendLiveLeases, updateLease } from './queries/leases.ts';
import {
  mergeWarnings,
  updateDevices,
  updateInventory,
  updateJobState,
  updateJudgement,
  updateTaskStates,
} from './queries/rows.ts';
import { selectQuickMarks } from './queries/summary.ts';
import { type JobEvent, jobHasEnded, moveJob, moveTask, type TaskEvent, taskHasEnded } from './states.ts';

/** Applies an event to a locked task; returns the task as it is then. An event without a move in this state changes nothing. */
export async function changeTaskState<T extends Pick<LockedTask, 'id' | 'state'>>(
  sql: Queryable,
  task: T,
  event: TaskEvent,
  { now, message = null }: { now: Date; message?: string | null },
): Promise<T> {
  const to = moveTask(task.state, event);
  if (to === task.state) return task;
  const move = { ids: [task.id], from: task.state, to, now, ended: taskHasEnded(to), message };
  if ((await updateTaskStates(sql, move)) !== 1) throw new Error(`task ${task.id} left ${task.state} under its lock`);
  return { ...task, state: to };
}

/** Applies one event to many locked tasks, with one statement for each state they leave. */
export async function changeTaskStates(
  sql: Queryable,
  tasks: readonly Pick<LockedTask, 'id' | 'state'>[],
  event: TaskEvent,
  { now }: { now: Date },
): Promise<void> {
  for (const [from, leaving] of Map.groupBy(tasks, ({ state }) => state)) {
    const to = moveTask(from, event);
    const ids = leaving.map(({ id }) => id);
    if (to !== from) await updateTaskStates(sql, { ids, from, to, now, ended: taskHasEnded(to), message: null });
  }
}

/** Applies an event to a locked job; returns the job as it is then. An event without a move in this state changes nothing. */
export async function changeJobState(sql: Queryable, job: LockedJob, event: JobEvent, now: Date): Promise<LockedJob> {
  const to = moveJob(job.state, event);
  if (to === null) return job;
  const startedAt = to === 'starting' ? now : null;
  const moved = await updateJobState(sql, {
    id: job.id,
    from: job.state,
    to,
    startedAt,
    endedAt: jobHasEnded(to) ? now : null,
  });
  if (!moved) throw new Error(`job ${job.id} left ${job.state} under its lock`);
  return { ...job, state: to, started_at: job.started_at ?? startedAt };
}

/** Stores the inventory of the machine as its agent found it. */
export const storeInventory = (sql: Queryable, taskId: string, inventory: MachineInventory): Promise<void> =>
  updateInventory(sql, taskId, inventory);

/** Stores the device model that represents the task, and whether any device was simulated. */
export async function storeDevices(
  sql: Queryable,
  taskId: string,
  devices: readonly QuickMarkTestResult[],
): Promise<void> {
  const main = nodeFigures(devices);
  if (!main) return;
  const simulated = devices.some((device) => device.simulated);
  await updateDevices(sql, taskId, { ...main, simulated, ids: devices.map(({ gpu_id }) => gpu_id) });
}

/** Judges what a node has delivered: the newest results of each configuration that the job measures; one is the rule. */
export async function storeJudgement(
  sql: Transaction,
  { job, task }: { job: Pick<LockedJob, 'benchmark_sequence'>; task: Pick<LockedTask, 'id'> },
  judged: QuickMarkResults,
): Promise<void> {
  const isOne = job.benchmark_sequence.filter(({ benchmark_id }) => benchmark_id === 'quick_mark').length === 1;
  const stored = isOne ? [] : (await selectQuickMarks(sql, task.id)).map(judgeStored);
  const all = stored.length === 0 ? [judged] : stored;
  await updateJudgement(sql, task.id, sameNode(all.map(nodeJudgement)));
}

/** Adds the warnings that the task does not have yet. */
export async function addWarnings(sql: Queryable, taskId: string, warnings: string[]): Promise<void> {
  if (warnings.length > 0) await mergeWarnings(sql, taskId, warnings);
}

/** When a lease that is renewed now expires. */
export const leaseFrom = (now: Date): Date => new Date(now.getTime() + leaseTimes.lease_seconds * 1000);

/** Renews the lease of a locked task outside its beats. The phase stays as it is if `phase` is null. */
export async function renewLease(
  { now }: Pick<Context, 'now'>,
  sql: Queryable,
  task: { id: string; epoch: number },
  phase: AgentPhase | null,
): Promise<void> {
  const at = now();
  await updateLease(sql, { taskId: task.id, epoch: task.epoch, phase, now: at, expiresAt: leaseFrom(at) });
}

/** Called once at the start, before the first sweep: a restart of the coordinator loses no node. Returns how many leases. */
export async function extendLeases(context: Context): Promise<number> {
  return context.sql.begin(async (tx) => {
    await mayTakeLong(tx);
    await extendLiveLeases(tx, leaseFrom(context.now()));
    // Once more from now on, in case the first had to wait for a lock: by now we hold the rows.
    return extendLiveLeases(tx, leaseFrom(context.now()));
  });
}
