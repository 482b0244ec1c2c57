import { parentPort } from 'node:worker_threads';
import { largeBodies } from '../../contract/large-bodies.ts';
import { DomainError } from '../errors.ts';
import { checkBody } from './check-body.ts';
import type { UploadAnswer, UploadTask } from './upload-threads.ts';

/** A thread that parses and checks large bodies, one at a time; see upload-threads.ts. */
const port = parentPort;
if (!port) throw new Error('runs as a thread of the coordinator');

port.on('message', (task: UploadTask) => port.postMessage(answer(task)));

function answer({ key, bytes, limit }: UploadTask): UploadAnswer {
  const schema = largeBodies[key];
  if (!schema) throw new Error(`no schema for ${key}`);
  try {
    // As text: cloning the value would cost the receiving thread more than parsing it.
    return { text: JSON.stringify(checkBody(schema, bytes, limit)) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { kind, message, fields } = error;
    return { refused: { kind, message, fields } };
  }
}
