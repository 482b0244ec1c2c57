import type { Context } from '../platform/context.ts';
import { selectUnmatched, type UnmatchedRow } from './queries/runs.ts';

export type { UnmatchedRow };

/** Labels of sources that no product or provider has, those with most rows first. */
export const listUnmatched = ({ sql }: Context): Promise<UnmatchedRow[]> => selectUnmatched(sql);
