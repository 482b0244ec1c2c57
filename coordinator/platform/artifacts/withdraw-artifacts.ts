import type { Transaction } from '../db/client.ts';
import { deleteArtifactsOf } from './queries.ts';

/** With the transaction: links to the artifacts of the job open nothing any more, and the sweep takes their files away. */
export const withdrawArtifacts = (tx: Transaction, input: { jobId: string; now: Date }): Promise<void> =>
  deleteArtifactsOf(tx, input);
