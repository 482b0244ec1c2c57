import type { Platform } from '../context.ts';
import { deleteFullBuckets } from './queries.ts';

/** The rows of buckets that are full say nothing; of addresses there would soon be very many. Returns how many went. */
export const pruneBuckets = ({ sql }: Pick<Platform, 'sql'>): Promise<number> => deleteFullBuckets(sql);
