import type { Platform } from '../context.ts';
import { deleteEndedWork } from './queries.ts';

/** How long an ended item is kept, for whoever asks why a report failed. */
const KEPT_MS = 7 * 24 * 3_600_000;

export const pruneWork = ({ sql, now }: Pick<Platform, 'sql' | 'now'>): Promise<number> =>
  deleteEndedWork(sql, new Date(now().getTime() - KEPT_MS));
