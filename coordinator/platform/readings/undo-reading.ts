import type { Context } from '../context.ts';
import type { Transaction } from '../db/client.ts';
import { mayTakeLong } from '../db/transactions.ts';
import { minuteText } from '../minute-text.ts';
import { lockScope } from './queries.ts';
import { markUndone, selectRun, type UndoableRun } from './queries/stored-runs.ts';

export interface UndoneRun {
  source: string;
  scope: string;
  /** rows of the run itself */
  rowsAside: number;
  /** restored rows that it had replaced */
  rowsBack: number;
  days: string[];
}

/** How the readings of an area are kept. */
export interface KeptReadings {
  /** sets a run's own rows aside and restores those that it had replaced; returns how many, and the days of its own */
  exchange: (tx: Transaction, run: UndoableRun) => Promise<Pick<UndoneRun, 'rowsAside' | 'rowsBack' | 'days'>>;
  /** runs that replaced rows of this one, the newest first */
  replacing: (tx: Transaction, runId: string) => Promise<string[]>;
  /** derives again what depends on the run, once it is marked as undone */
  derive: (tx: Transaction, run: UndoableRun, days: readonly string[]) => Promise<void>;
}

/**
 * Undoes a reading: sets its rows aside, restores those that it replaced, and derives again what depends on them. Throws if
 * the run cannot be undone.
 */
export async function undoReading(
  { sql, now }: Context,
  runId: string,
  keptBy: (source: string) => KeptReadings,
): Promise<UndoneRun> {
  return sql.begin(async (tx) => {
    // A reading of the same part, or of these days, may take long.
    await mayTakeLong(tx);
    const { source, scope } = await knownRun(tx, runId);
    await lockScope(tx, source, scope);
    // The transaction that held the lock before may have replaced this run.
    const run = await knownRun(tx, runId);
    const kept = keptBy(source);
    await refuseUnlessUndoable(tx, run, kept);
    const exchanged = await kept.exchange(tx, run);
    await markUndone(tx, { runId, at: now() });
    await kept.derive(tx, run, exchanged.days);
    return { source, scope, ...exchanged };
  });
}

async function knownRun(tx: Transaction, runId: string): Promise<UndoableRun> {
  const run = await selectRun(tx, runId);
  if (run === null) throw new Error(`There is no run ${runId}: ingest runs lists the latest ones.`);
  return run;
}

async function refuseUnlessUndoable(tx: Transaction, run: UndoableRun, { replacing }: KeptReadings): Promise<void> {
  const { id, undone_at, rows_aside, rows_kept, keeps_replaced } = run;
  if (undone_at !== null) {
    const when = minuteText(undone_at);
    throw new Error(`Run ${id} has already been undone (${when} UTC). To restore it, ingest its file again.`);
  }
  if (!keeps_replaced)
    throw new Error(`Run ${id} cannot be undone: what it replaced was not kept. Read the earlier file again instead.`);
  if (Number(rows_aside) > 0) {
    const by = await replacing(tx, id);
    const whole = Number(rows_aside) >= Number(rows_kept) ? 'all' : `${rows_aside} of ${rows_kept}`;
    throw new Error(
      `Run ${id} was itself replaced: ${whole} of its observations by run ${by.join(', ')}. Undo that first.`,
    );
  }
}
