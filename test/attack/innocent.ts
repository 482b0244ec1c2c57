import { Worker } from 'node:worker_threads';
import { INNOCENT_ADDRESS, type Site } from './site.ts';

/** What the innocent tenant met while the attack ran. */
export interface Innocent {
  requests: number;
  /** Every answer that was not the right one, and every call without an answer; the first few in words. */
  errors: number;
  first_errors: string[];
  p50_ms: number;
  p99_ms: number;
  worst_ms: number;
}

export interface RunningInnocent {
  /** What it has met since it was last asked. */
  met: () => Promise<Innocent>;
  stop: () => Promise<void>;
}

/**
 * Starts the innocent tenant's ordinary traffic in a thread of its own, so that what the attacker's side costs here does
 * not count as the coordinator's delay.
 */
export async function startInnocent(site: Site): Promise<RunningInnocent> {
  const { baseUrl, innocent } = site;
  const { email, password, bearer, company } = innocent;
  const worker = new Worker(new URL('innocent-worker.ts', import.meta.url), {
    workerData: { baseUrl, email, password, bearer, company, address: INNOCENT_ADDRESS, seldom: site.short },
  });
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  worker.on('error', reject);
  const next = () => new Promise<unknown>((resolve) => worker.once('message', resolve));
  await Promise.race([next(), failed]);
  const ask = async (word: 'met' | 'stop'): Promise<unknown> => {
    const result = next();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(word);
    return Promise.race([result, failed]);
  };
  return {
    met: async () => (await ask('met')) as Innocent,
    stop: async () => {
      await ask('stop');
      await worker.terminate();
    },
  };
}
