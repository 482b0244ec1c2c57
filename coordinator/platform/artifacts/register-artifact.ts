import type { Transaction } from '../db/client.ts';
import { insertArtifact, type NewArtifact, deleteArtifactsOf } from './queries.ts';

/** Notes a stored file as a job's, in the transaction that links to it. False if the job has been deleted. */
export const registerArtifact = (tx: Transaction, artifact: NewArtifact): Promise<boolean> =>
  insertArtifact(tx, artifact);

/** With the transaction: links to the artifacts of the job open nothing any more, and the sweep takes their files away. */
export const withdrawArtifacts = (tx: Transaction, input: { jobId: string; now: Date }): Promise<void> =>
  deleteArtifactsOf(tx, input);
