import type { Context } from '../../platform/context.ts';
import { mayTakeLong } from '../../platform/db/transactions.ts';
import { lockScope } from '../../platform/readings/queries.ts';
import { recomputeDays } from '../pricing/recompute-days.ts';
import { bringBack, markUndone, selectReplacing, selectRun, setOwnAside, type UndoableRun } from '../queries/runs.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { planForFreshMonths } from '../queries/observations.ts';
import { summariseMonths } from './intake.ts';
import { minuteText } from '../../platform/minute-text.ts';

export interface UndoneRun {
  source: string;
  scope: string;
  /** observations of the run itself */
  rowsAside: number;
  /** restored observations that it had replaced */
  rowsBack: number;
  days: string[];
}

/**
 * Undoes a reading: sets its observations aside, restores those that it replaced, and recomputes the prices of its
 * days. Throws if the run cannot be undone.
 */
export async function undoRun(context: Context, runId: string): Promise<UndoneRun> {
  return context.sql.begin(async (tx) => {
    // A reading of the same part, or of these days, may take long.
    await mayTakeLong(tx);
    const { source, scope } = await knownRun(tx, runId);
    await lockScope(tx, source, scope);
    // The transaction that held the lock before may have replaced this run.
    const run = await knownRun(tx, runId);
    await refuseUnlessUndoable(tx, run);
    await planForFreshMonths(tx);
    // Before the run's own rows go aside with the same `replaced_by`; those have its own `run_id`.
    const rowsBack = await bringBack(tx, runId);
    const own = await setOwnAside(tx, run);
    await markUndone(tx, { runId, at: context.now() });
    const days = own.map(({ day }) => day);
    await summariseMonths(context, [...new Set(days.map((day) => day.slice(0, 7)))]);
    await recomputeDays(tx, days, { reason: 'undo', runId, at: context.now() });
    return { source, scope, rowsAside: own.reduce((sum, { rows }) => sum + rows, 0), rowsBack, days };
  });
}

async function knownRun(tx: Transaction, runId: string): Promise<UndoableRun> {
  const run = await selectRun(tx, runId);
  if (run === null) throw new Error(`There is no run ${runId}: ingest runs lists the latest ones.`);
  return run;
}

async function refuseUnlessUndoable(tx: Transaction, run: UndoableRun): Promise<void> {
  const { id, undone_at, rows_aside, rows_kept, keeps_replaced } = run;
  if (undone_at !== null) {
    const when = minuteText(undone_at);
    throw new Error(`Run ${id} has already been undone (${when} UTC). To restore it, ingest its file again.`);
  }
  if (!keeps_replaced)
    throw new Error(`Run ${id} cannot be undone: what it replaced was not kept. Read the earlier file again instead.`);
  if (Number(rows_aside) > 0) {
    const by = await selectReplacing(tx, id);
    const whole = Number(rows_aside) >= Number(rows_kept) ? 'all' : `${rows_aside} of ${rows_kept}`;
    throw new Error(
      `Run ${id} was itself replaced: ${whole} of its observations by run ${by.join(', ')}. Undo that first.`,
    );
  }
}
