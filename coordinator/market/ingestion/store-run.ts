import type { Context } from '../../platform/context.ts';
import { recomputeDays } from '../pricing/recompute-days.ts';
import { deleteReplaced, markReplaced, planForFreshMonths } from '../queries/observations.ts';
import { dropMeant, insertRun, listUnmatched, lockLabels, lockScope } from '../../platform/readings/queries.ts';
import { Intake } from './intake.ts';
import { lineWriter, type Observation } from './observation.ts';
import type { UnmatchedLabel } from '../../platform/readings/unmatched-label.ts';

/** What is known of a file once it was read to its end. */
export interface ReadFile {
  contentSha256: Buffer;
  rowsRead: number;
  refused: Record<string, number>;
  unmatched: UnmatchedLabel[];
  /** whether a label that was left unmatched before means something now */
  isMeant: (kind: UnmatchedLabel['kind'], label: string) => boolean;
}

export interface StoredRun {
  runId: string;
  rowsKept: number;
  days: string[];
  /** observations of earlier readings that these took the place of */
  rowsReplaced: number;
}

/** Which reading it is. */
export interface Part {
  source: string;
  scope: string;
  origin: string;
  /** Is told the runs that this one takes days from, and throws where it must not. */
  mayReplace: (runs: readonly string[]) => void;
}

/** Takes an observation. A promise where Postgres must catch up before the next. */
export type Keep = (row: Observation) => Promise<void> | null;

/**
 * One reading of one part of a source: all that `read` keeps or, where it throws, nothing. Days that are in it take the
 * place of the same days of earlier readings of that part; their prices are computed again.
 */
export async function storeRun(
  context: Context,
  { source, scope, origin, mayReplace }: Part,
  read: (keep: Keep) => Promise<ReadFile>,
): Promise<StoredRun> {
  const runId = context.newId();
  const startedAt = context.now();
  return context.sql.begin(async (tx) => {
    // Another reading of this part, or of these days, may take as long as this one.
    await tx`set local statement_timeout = 0`;
    await tx`set local lock_timeout = 0`;
    await lockScope(tx, source, scope);
    const { rowsKept, days, file } = await takeIn(new Intake(context, tx), runId, read);
    const { unmatched, isMeant, ...readFile } = file;
    await planForFreshMonths(tx);
    const replaced = await deleteReplaced(tx, { source, scope, days });
    mayReplace(replaced.runs);
    await insertRun(tx, {
      ...readFile,
      id: runId,
      source,
      scope,
      origin,
      firstDay: days[0] ?? null,
      lastDay: days.at(-1) ?? null,
      rowsKept,
      unmatched: unmatched.reduce((sum, label) => sum + label.rows, 0),
      startedAt,
      endedAt: context.now(),
    });
    await markReplaced(tx, { runs: replaced.runs, by: runId });
    await lockLabels(tx, source);
    await dropMeant(tx, source, isMeant);
    await listUnmatched(tx, source, unmatched);
    await recomputeDays(tx, days);
    return { runId, rowsKept, days, rowsReplaced: replaced.rows };
  });
}

/** Sends what is kept as it comes, no faster than Postgres takes it. */
async function takeIn(
  intake: Intake,
  runId: string,
  read: (keep: Keep) => Promise<ReadFile>,
): Promise<{ rowsKept: number; days: string[]; file: ReadFile }> {
  const lineOf = lineWriter(runId);
  let rowsKept = 0;
  try {
    const file = await read((row) => {
      rowsKept += 1;
      return intake.add(lineOf(row));
    });
    await intake.end();
    return { rowsKept, days: intake.days, file };
  } catch (error) {
    intake.abandon();
    throw error;
  }
}
