import type { Context } from '../../platform/context.ts';
import { countOpenJobs } from './queries.ts';

/** The jobs that lose their tokens if the keys of job tokens are retired at once. */
export const jobsAtStake = ({ sql }: Context): Promise<{ open: number; started: number }> => countOpenJobs(sql);
