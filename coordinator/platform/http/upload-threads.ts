import { Worker } from 'node:worker_threads';
import { DomainError, type ErrorKind, type FieldIssue } from '../errors.ts';
import { watchThread } from '../watch-thread.ts';
import { malformed } from './validation-error.ts';

/** A large body and the key of its schema in contract/large-bodies.ts. */
export interface UploadTask {
  key: string;
  bytes: Uint8Array;
  limit: number;
}

export type UploadAnswer = { text: string } | { refused: { kind: ErrorKind; message: string; fields: FieldIssue[] } };

/** Parses and checks a large body off the event loop. Throws what checkBody does, and `unavailable` if too many wait. */
export type CheckUpload = (holder: string, task: UploadTask) => Promise<unknown>;

interface Waiting {
  task: UploadTask;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** A legitimate body of 8 MiB takes a tenth of a second, the worst body within the bounds about one second. */
const DEADLINE_SECONDS = 10;
/** Heap limit of one thread. An 8 MiB body with the maximum number of values takes a third of it. */
const MEMORY_MIB = 256;
const MOST_WAITING = 256;

/** At most `most` threads, started when first needed. Holders take turns, so one with many uploads does not delay others. */
export function uploadThreads(most: number): CheckUpload {
  const waiting = new Map<string, Waiting[]>();
  const idle: Worker[] = [];
  let threads = 0;
  let count = 0;

  const next = (): void => {
    const [first] = waiting;
    if (!first || (idle.length === 0 && threads >= most)) return;
    const [holder, tasks] = first;
    const entry = tasks.shift();
    // Moves the holder to the end of the queue if it has more tasks.
    waiting.delete(holder);
    if (tasks.length > 0) waiting.set(holder, tasks);
    if (!entry) return;
    count -= 1;
    const worker = idle.pop() ?? begin();
    void run(worker, entry);
  };
  const run = async (worker: Worker, entry: Waiting): Promise<void> => {
    if (await work(worker, entry)) idle.push(worker);
    else threads -= 1;
    next();
  };
  const begin = (): Worker => {
    threads += 1;
    const worker = new Worker(new URL('upload-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
    });
    worker.unref();
    return worker;
  };
  return (holder, task) =>
    new Promise((resolve, reject) => {
      if (count >= MOST_WAITING) {
        const message = 'Too many large bodies wait to be checked; send this one again.';
        return reject(new DomainError('unavailable', message, { retryAfterSeconds: 2 }));
      }
      count += 1;
      waiting.set(holder, [...(waiting.get(holder) ?? []), { task, resolve, reject }]);
      next();
    });
}

/** Checks one body on a thread. False if the thread has ended. */
async function work(worker: Worker, { task, resolve, reject }: Waiting): Promise<boolean> {
  const answered = Promise.withResolvers<UploadAnswer>();
  const unwatch = watchThread(worker, DEADLINE_SECONDS, () => answered.reject(costly('time')));
  const failed = (error: Error & { code?: string }) =>
    answered.reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? costly('memory') : error);
  const ended = () => answered.reject(new Error('the thread of large bodies ended'));
  worker.once('message', answered.resolve).once('error', failed).once('exit', ended);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(task);
  try {
    const answer = await answered.promise;
    if ('text' in answer) resolve(JSON.parse(answer.text));
    else reject(new DomainError(answer.refused.kind, answer.refused.message, { fields: answer.refused.fields }));
    return true;
  } catch (error) {
    reject(error);
    await worker.terminate();
    return false;
  } finally {
    unwatch();
    worker.off('message', answered.resolve).off('error', failed).off('exit', ended);
  }
}

const costly = (what: string): DomainError =>
  malformed('body', null, `takes too much ${what} to check; send less, or in several requests`, 'too_big');
