import { Worker } from 'node:worker_threads';
import { threadOutcome } from '../platform/thread-outcome.ts';
import type { PackedReport } from './unpack-report.ts';

interface Limits {
  deadlineSeconds: number;
  /** old generation of the thread's heap */
  heapMegabytes: number;
}

/** A report of 256 nodes of 8 devices takes 5 s with both cores busy and a heap between 48 and 96 MB. */
const usual: Limits = { deadlineSeconds: 60, heapMegabytes: 768 };

/** Reports come in bursts, when jobs end; an idle thread holds some 60 MB. */
const REST_SECONDS = 10;

const workerFile = new URL('./report-worker.ts', import.meta.url);

/** Idle threads, kept because loading the renderer takes three times as long as drawing the report of a node. */
const resting = new Set<Worker>();

/**
 * Renders a report in a thread, so that no request waits for it and a fault or an endless loop in it ends with the
 * thread. Throws an error with a readable message if it fails or exceeds its deadline or its memory.
 */
export async function renderInWorker(
  report: PackedReport,
  signal?: AbortSignal,
  limits: Limits = usual,
): Promise<Buffer> {
  const worker = (limits === usual ? wakeOne() : null) ?? startThread(limits);
  try {
    const outcome = threadOutcome<Uint8Array>(worker, { ...limits, failed: 'The report could not be made', signal });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(report);
    const pdf = Buffer.from(await outcome);
    if (limits === usual) rest(worker);
    else await worker.terminate();
    return pdf;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function startThread({ heapMegabytes }: Limits): Worker {
  return new Worker(workerFile, {
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    // The thread needs no settings, so it sees none.
    env: {},
  });
}

function wakeOne(): Worker | null {
  const [worker] = resting;
  if (!worker) return null;
  resting.delete(worker);
  forget(worker);
  worker.ref();
  return worker;
}

/** An idle thread does not keep the process alive, and ends after `REST_SECONDS`. */
function rest(worker: Worker): void {
  const end = (): void => {
    if (resting.delete(worker)) void worker.terminate();
  };
  forget(worker);
  worker.once('error', end);
  worker.once('exit', end);
  worker.unref();
  resting.add(worker);
  setTimeout(end, REST_SECONDS * 1000).unref();
}

/** Only for the events used here: node's own listeners keep the thread's port alive. */
function forget(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}
