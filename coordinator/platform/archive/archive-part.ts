import type { Queryable, Transaction } from '../db/client.ts';
import type { Period } from './periods.ts';

/** Content of one file: rows of one type and period, with the columns of one version. Each type belongs to one area. */
export interface ArchivePart {
  /** level of detail; null if the type has no levels */
  tier: number | null;
  type: string;
  period: Period;
  /** announcement that defines its columns */
  version: string;
}

/** Source of the rows in an area's files. */
export interface ArchiveRows<P extends ArchivePart> {
  /** CSV with its header; the same rows always come in the same order */
  read: (tx: Transaction, part: P) => AsyncGenerator<Buffer, void>;
  /** fingerprint of the rows' source data: if it is unchanged, the file need not be built again */
  fingerprint: (sql: Queryable, part: P) => Promise<string>;
}
