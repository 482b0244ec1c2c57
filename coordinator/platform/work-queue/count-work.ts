import type { Platform } from '../context.ts';
import { countWorkIn } from './queries.ts';

/** Items that wait or are being done, for the metrics. */
export const countWork = ({ sql }: Pick<Platform, 'sql'>): Promise<number> => countWorkIn(sql, ['queued', 'running']);

/** Items that were given up and are not forgotten yet. */
export const countSetAside = ({ sql }: Pick<Platform, 'sql'>): Promise<number> => countWorkIn(sql, ['failed']);
