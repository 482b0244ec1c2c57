import { Worker } from 'node:worker_threads';
import type { PackedReport } from './unpack-report.ts';

interface Limits {
  deadlineSeconds: number;
  /** old generation of the thread's heap */
  heapMegabytes: number;
}

/** A report of 256 nodes of 8 devices takes 5 s with both cores busy and a heap between 48 and 96 MB. */
const usual: Limits = { deadlineSeconds: 60, heapMegabytes: 768 };

const workerFile = new URL('./report-worker.ts', import.meta.url);

/**
 * Renders a report in a thread of its own, so that no request waits for it and a fault or an endless loop in it ends
 * with the thread. Throws with a sentence where it fails, runs over its deadline or its memory.
 */
export async function renderInWorker(
  report: PackedReport,
  signal?: AbortSignal,
  limits: Limits = usual,
): Promise<Buffer> {
  const worker = new Worker(workerFile, {
    workerData: report,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
    // The thread needs no settings, so it sees none.
    env: {},
  });
  try {
    return await outcomeOf(worker, limits, signal);
  } finally {
    await worker.terminate();
  }
}

function outcomeOf(worker: Worker, { deadlineSeconds, heapMegabytes }: Limits, signal?: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => fail(`rendering took longer than ${deadlineSeconds} s and was stopped`),
      deadlineSeconds * 1000,
    );
    const fail = (message: string, cause?: unknown): void => {
      clearTimeout(timer);
      reject(new Error(`The report could not be made: ${message}`, { cause }));
    };
    signal?.addEventListener('abort', () => fail('the work was given up'), { once: true });
    worker.once('message', (pdf: Uint8Array) => {
      clearTimeout(timer);
      resolve(Buffer.from(pdf));
    });
    worker.once('error', (error) => {
      const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      fail(isMemory ? `it needed more than ${heapMegabytes} MB` : String(error), error);
    });
    worker.once('exit', (code) => fail(`its thread ended with code ${code}`));
  });
}
