import type { Transaction } from '../db/client.ts';
import { insertArtifact, type NewArtifact } from './queries.ts';

/** Notes a stored file as a job's, in the transaction that links to it. False if the job has been deleted. */
export const registerArtifact = (tx: Transaction, artifact: NewArtifact): Promise<boolean> =>
  insertArtifact(tx, artifact);
