import type { Context } from '../../platform/context.ts';
import { findEtag, findSameRun } from '../queries/runs.ts';

export interface EarlierRun {
  runId: string;
  endedAt: Date;
  rowsKept: number;
}

/** The run that read exactly these bytes of this part of the source, and whose rows still stand. */
export async function findEarlierRun(
  { sql }: Context,
  part: { source: string; scope: string; contentSha256: Buffer },
): Promise<EarlierRun | null> {
  const run = await findSameRun(sql, part);
  return run && { runId: run.id, endedAt: run.ended_at, rowsKept: Number(run.rows_kept) };
}

/** The ETag under which an address was read last. */
export const earlierEtag = ({ sql }: Context, source: string, origin: string): Promise<string | null> =>
  findEtag(sql, source, origin);
