import type { Platform } from '../context.ts';
import { countOpenWork } from './queries.ts';

/** Items that wait or are being done, for the metrics. */
export const countWork = ({ sql }: Pick<Platform, 'sql'>): Promise<number> => countOpenWork(sql);
