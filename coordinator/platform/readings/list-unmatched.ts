import type { Context } from '../context.ts';
import { selectUnmatched, type UnmatchedRow } from './queries.ts';

export type { UnmatchedRow };

/** Labels of sources that no product, provider or model has, those with most rows first. */
export const listUnmatched = ({ sql }: Context): Promise<UnmatchedRow[]> => selectUnmatched(sql);
