import type { Context } from '../context.ts';
import { findEtag, findSameRun } from './queries.ts';

export interface EarlierRun {
  runId: string;
  endedAt: Date;
  rowsKept: number;
}

/** The run that read exactly these bytes of this part of the source, and whose rows still stand; with `days`, for the same days. */
export async function findEarlierRun(
  { sql }: Context,
  part: {
    source: string;
    scope: string;
    contentSha256: Buffer;
    days: { first: string | null; last: string | null } | null;
  },
): Promise<EarlierRun | null> {
  const run = await findSameRun(sql, part);
  return run && { runId: run.id, endedAt: run.ended_at, rowsKept: Number(run.rows_kept) };
}

/** The ETag under which an address was read last, as the part `scope` if one was named; with `lastDay`, for that day alone. */
export const earlierEtag = (
  { sql }: Context,
  place: { source: string; scope: string | null; origin: string; lastDay?: string },
): Promise<string | null> => findEtag(sql, place);
