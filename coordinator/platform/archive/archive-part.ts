import type { Queryable, Transaction } from '../db/client.ts';
import type { Period } from './periods.ts';

/** What one file holds: rows of one type and period, in the columns of one version. Types are of one area each. */
export interface ArchivePart {
  /** level of detail; null: the type has none */
  tier: number | null;
  type: string;
  period: Period;
  /** whose announcement's columns it has */
  version: string;
}

/** What the files of an area are made of. */
export interface ArchiveRows<P extends ArchivePart> {
  /** CSV under its header, in an order that the same rows always give */
  read: (tx: Transaction, part: P) => AsyncGenerator<Buffer, void>;
  /** of what the rows come from: a file that was built from the same need not be built again */
  fingerprint: (sql: Queryable, part: P) => Promise<string>;
}
