import type { Queryable } from '../db/client.ts';
import { insertArtifact, type NewArtifact } from './queries.ts';

/** Notes a stored object as a customer's; call it with the `sql` of the transaction that links to it. */
export const registerArtifact = (sql: Queryable, artifact: NewArtifact): Promise<void> => insertArtifact(sql, artifact);
