import type { Worker } from 'node:worker_threads';
import { watchThread } from './watch-thread.ts';

interface Limits {
  /** of computing */
  deadlineSeconds: number;
  /** limit of the old generation of the thread's heap, for the error message */
  heapMegabytes: number;
}

/**
 * The first message of a thread. Rejects with a sentence that begins with `failed` if the thread fails, exceeds its deadline or
 * its memory, or is aborted by `signal`. The caller must terminate the thread.
 */
export function threadOutcome<T>(
  worker: Worker,
  { deadlineSeconds, heapMegabytes, failed, signal }: Limits & { failed: string; signal?: AbortSignal | undefined },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const unwatch = watchThread(worker, deadlineSeconds, () =>
      fail(`it took longer than ${deadlineSeconds} s and was stopped`),
    );
    const fail = (message: string, cause?: unknown): void => {
      unwatch();
      reject(new Error(`${failed}: ${message}`, { cause }));
    };
    signal?.addEventListener('abort', () => fail('the work was given up'), { once: true });
    worker.once('message', (outcome: T) => {
      unwatch();
      resolve(outcome);
    });
    worker.once('error', (error) => {
      const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      fail(isMemory ? `it needed more than ${heapMegabytes} MB` : String(error), error);
    });
    worker.once('exit', (code) => fail(`its thread ended with code ${code}`));
  });
}
