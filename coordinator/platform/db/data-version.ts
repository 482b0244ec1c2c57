import type { Queryable, Transaction } from './client.ts';
import { maybeOne } from './rows.ts';

/** Areas whose data readers cache in memory. */
export type DataArea = 'market' | 'carbon' | 'tokens' | 'prediction';

/** Makes readers reload their copies of the area's data once this transaction is committed. */
export async function bumpDataVersion(tx: Transaction, area: DataArea): Promise<void> {
  await tx`update data_version set version = version + 1 where area = ${area}`;
}

export async function readDataVersion(sql: Queryable, area: DataArea): Promise<string> {
  const row = maybeOne(await sql<{ version: string }[]>`select version from data_version where area = ${area}`);
  return row?.version ?? '0';
}
