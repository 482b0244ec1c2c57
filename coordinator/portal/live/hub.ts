import type { Platform } from '../../platform/context.ts';
import { onNews } from '../../platform/db/news.ts';
import type { Sql } from '../../platform/db/client.ts';
import { selectHeads } from '../queries/job-page.ts';

/** Notifications that arrive within this time are handled together. */
const GATHER_MS = 150;
/** Notifications can be lost, so at this interval one query reads all watched jobs; it does not run without watchers. */
const LOOK_MS = 5000;

interface Watched {
  seq: number;
  listeners: Set<(seq: number) => void>;
}

export interface Hub {
  /** Calls `changed` with the job's newest change number until the returned function is called. */
  watch: (jobId: string, seq: number, changed: (seq: number) => void) => () => void;
}

const hubs = new WeakMap<Sql, Hub>();

/** One per process: each change costs one query for all open pages of the process. */
export function jobHub({ sql, log }: Pick<Platform, 'sql' | 'log'>): Hub {
  const known = hubs.get(sql);
  if (known) return known;
  const jobs = new Map<string, Watched>();
  let gathering: NodeJS.Timeout | null = null;
  let looking: NodeJS.Timeout | null = null;
  let unhear: (() => void) | null = null;
  const look = async (): Promise<void> => {
    const heads = await selectHeads(sql, [...jobs.keys()]);
    for (const [id, seq] of heads) {
      const job = jobs.get(id);
      if (job === undefined || seq <= job.seq) continue;
      job.seq = seq;
      for (const listener of job.listeners) listener(seq);
    }
  };
  const soon = (): void => {
    gathering ??= setTimeout(() => {
      gathering = null;
      if (jobs.size > 0) look().catch((error: unknown) => log.warn({ err: error }, 'changes of jobs were not read'));
    }, GATHER_MS).unref();
  };
  const begin = (): void => {
    unhear = onNews(sql, 'job', soon);
    looking = setInterval(soon, LOOK_MS).unref();
  };
  const end = (): void => {
    unhear?.();
    if (looking) clearInterval(looking);
    if (gathering) clearTimeout(gathering);
    gathering = null;
  };
  const hub: Hub = {
    watch: (jobId, seq, changed) => {
      if (jobs.size === 0) begin();
      const job = jobs.get(jobId) ?? { seq, listeners: new Set() };
      // A page opened later may have seen fewer changes; the next query notifies all of them alike.
      job.seq = Math.min(job.seq, seq);
      job.listeners.add(changed);
      jobs.set(jobId, job);
      soon();
      return () => {
        job.listeners.delete(changed);
        if (job.listeners.size === 0) jobs.delete(jobId);
        if (jobs.size === 0) end();
      };
    },
  };
  hubs.set(sql, hub);
  return hub;
}
