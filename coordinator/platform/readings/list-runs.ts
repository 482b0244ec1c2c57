import type { Context } from '../context.ts';
import { selectRuns, type RunRow } from './queries.ts';

export type { RunRow };

/** The last readings, of one source or of all. */
export const listRuns = ({ sql }: Context, asked: { source: string | null; most: number }): Promise<RunRow[]> =>
  selectRuns(sql, asked);
