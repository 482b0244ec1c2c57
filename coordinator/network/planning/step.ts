import type { Platform } from '../../platform/context.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { updateRun, type RunChange } from '../queries/runs.ts';
import { isLive, runKeyOf, type RunKey, type RunRow, type SeatRow } from '../run-row.ts';
import type { Layouts } from './layout.ts';

/** The parts of the process that planning needs. */
export type Planner = Pick<Platform, 'sql' | 'log' | 'now'> & { layouts: Layouts };

/** A snapshot of a run under its lock: the input of every decision. */
export interface Step {
  planner: Planner;
  tx: Transaction;
  key: RunKey;
  run: RunRow;
  seats: SeatRow[];
  /** performance.now() when the row was read under its lock */
  readAt: number;
}

export const liveSeats = ({ seats }: Pick<Step, 'seats'>): SeatRow[] => seats.filter(isLive);
export const lostSeats = ({ seats }: Pick<Step, 'seats'>): number[] =>
  seats.filter((seat) => !isLive(seat)).map(({ node }) => node);

/** Writes the change and returns the updated step. */
export async function change(step: Step, run: RunChange): Promise<Step> {
  await updateRun(step.tx, step.key, run);
  return {
    ...step,
    run: {
      ...step.run,
      ...(run.state !== undefined && { state: run.state }),
      ...(run.plan !== undefined && { plan: run.plan }),
      ...(run.sequence !== undefined && { sequence: run.sequence }),
      ...(run.returned_ms !== undefined && { returned_ms: run.returned_ms }),
      ...(run.started_ms !== undefined && { started_ms: run.started_ms }),
      ...(run.deadline_ms !== undefined && { deadline_ms: run.deadline_ms }),
      ...(run.graph !== undefined && { graph: run.graph }),
      ...(run.transport !== undefined && { transport: run.transport }),
      ...(run.transport_note !== undefined && { transport_note: run.transport_note }),
      ...(run.collective !== undefined && { collective: run.collective }),
      ...(run.next_round !== undefined && { next_round: run.next_round }),
    },
  };
}

/** Schedules the next check at `due_ms`. */
export const lookAgain = (step: Step, due_ms: number): Promise<Step> => change(step, { due_ms });

export const stepOf = (planner: Planner, tx: Transaction, run: RunRow, seats: SeatRow[]): Step => ({
  planner,
  tx,
  key: runKeyOf(run),
  run,
  seats,
  readAt: performance.now(),
});

/** The database's current time. A step may compute for a second, and planned starts must be later than its end. */
export const nowOf = ({ run, readAt }: Step): number => run.now_ms + performance.now() - readAt;

/** Remaining part of the configured time, in milliseconds. */
export const timeLeft = ({ run }: Step): number => (run.deadline_ms ?? run.now_ms) - run.now_ms;
