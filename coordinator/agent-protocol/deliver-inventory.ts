import type { z } from 'zod';
import type { inventoryRequest, taskOutcome } from '../contract/agent-protocol.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { taskHasEnded } from '../lifecycle/states/task-state.ts';
import { changeTaskState } from '../lifecycle/change-state.ts';
import { storeInventory } from '../lifecycle/describe-task.ts';
import { renewLease } from '../lifecycle/leases/lease.ts';
import { act } from '../lifecycle/act.ts';
import type { Secret } from '../lifecycle/session.ts';

/** The machine of a task; the last one before its end wins. A sign of life, like a beat. */
export async function deliverInventory(
  context: Context,
  input: z.output<typeof inventoryRequest> & Secret,
): Promise<z.input<typeof taskOutcome>> {
  const { inventory } = input;
  const { task, job } = await act(context, { session: input, accepts: 'while_unarchived' }, async (tx, { task }) => {
    if (inventory.machine_uuid !== task.machine_uuid)
      throw invalidField('inventory.machine_uuid', 'is not the machine of this task');
    if (taskHasEnded(task.state)) return { task };
    await storeInventory(tx, task.id, inventory);
    await renewLease(context, tx, task, null);
    return { task: await changeTaskState(tx, task, { kind: 'beat', phase: 'inventory' }, { now: context.now() }) };
  });
  return { task_state: task.state, job_state: job.state };
}
