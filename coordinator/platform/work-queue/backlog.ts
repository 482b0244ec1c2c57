import type { Platform } from '../context.ts';
import { countWorkIn, deleteEndedWork } from './queries.ts';

/** Items that wait or are being done, for the metrics. */
export const countWork = ({ sql }: Pick<Platform, 'sql'>): Promise<number> => countWorkIn(sql, ['queued', 'running']);

/** Items that were given up and are not forgotten yet. */
export const countSetAside = ({ sql }: Pick<Platform, 'sql'>): Promise<number> => countWorkIn(sql, ['failed']);

/** How long an ended item is kept, for people who ask why a report failed. */
const KEPT_MS = 7 * 24 * 3_600_000;

export const pruneWork = ({ sql, now }: Pick<Platform, 'sql' | 'now'>): Promise<number> =>
  deleteEndedWork(sql, new Date(now().getTime() - KEPT_MS));
