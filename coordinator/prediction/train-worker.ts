import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { ProviderRatio } from './model/model-document.ts';
import { trainModel } from './model/train-model.ts';
import type { Vote } from './model/vote.ts';

/** Thread body: trains one model on the votes it was given. A throw ends the thread and is reported. */
// Linux has a priority per thread, and pid 0 is the calling one: requests come first.
setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
const { votes, ratios } = workerData as { votes: Vote[]; ratios: ProviderRatio[] };
// A thread's port has no origin to name.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(trainModel(votes, ratios));
