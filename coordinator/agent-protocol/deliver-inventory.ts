import type { z } from 'zod';
import type { inventoryRequest, taskOutcome } from '../contract/agent-protocol.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { jobOfToken } from '../jobs/caller.ts';
import { taskHasEnded } from '../lifecycle/states/task-state.ts';
import { changeTaskState } from '../lifecycle/change-task-state.ts';
import { storeInventory } from '../lifecycle/describe-machine.ts';
import { leaseFrom } from '../lifecycle/leases/lease.ts';
import { demandSession, demandUnarchived, lockNode } from '../lifecycle/act.ts';
import { renewLease } from '../lifecycle/queries/tasks.ts';
import type { Secret } from '../lifecycle/task-secret.ts';

/** The machine of a task; the last one before its end wins. A sign of life, like a beat. */
export async function deliverInventory(
  context: Context,
  input: z.output<typeof inventoryRequest> & Secret,
): Promise<z.input<typeof taskOutcome>> {
  const { jobId } = jobOfToken(context.actor);
  const { task_id, epoch, inventory } = input;
  return context.sql.begin(async (tx) => {
    const { job, task } = await lockNode(tx, jobId, task_id);
    demandUnarchived(job);
    demandSession(task, input);
    if (inventory.machine_uuid !== task.machine_uuid)
      throw invalidField('inventory.machine_uuid', 'is not the machine of this task');
    if (taskHasEnded(task.state)) return { task_state: task.state, job_state: job.state };
    await storeInventory(tx, task.id, inventory);
    const now = context.now();
    await renewLease(tx, { taskId: task.id, epoch, phase: null, now, expiresAt: leaseFrom(now) });
    const moved = await changeTaskState(tx, task, { kind: 'beat', phase: 'inventory' }, { now });
    return { task_state: moved.state, job_state: job.state };
  });
}
