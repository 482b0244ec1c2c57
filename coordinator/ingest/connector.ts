import type { ReadRow } from './listing.ts';
import { oneLine } from './reading/source-error.ts';

export interface SourceFile {
  /** as the operator named it: path or URL */
  name: string;
  /** what is in it, unpacked; one pass */
  content: AsyncIterable<Uint8Array>;
  /** the day the prices are of, if the file does not say it itself: `--as-of`, else the date in its name, else today for what is fetched now */
  asOf: Date;
  /** whose prices these are, if one format serves several: as the operator says, else as the path does; null: nobody says */
  provider: string | null;
  /** what part of the source it is, if one comes in several files of one day; a later file of the same part and day takes its place */
  scope: string;
}

/** One publisher's format. It reads, and knows the publisher's traps; products, providers and countries are looked up after it. */
export interface Connector {
  /** as typed: `ingest <name> <file-or-url>` */
  name: string;
  title: string;
  kind: 'rental' | 'retail';
  /** where a deployment gets it; null: only from a file */
  url: string | null;
  /** each row has its date, so that the day of the file is not asked for */
  rowsSayDay?: true;
  /** whose prices a path or URL says it holds, if one format serves several and the file itself is silent */
  providerIn?: (name: string) => string | null;
  /**
   * The rows of a file in order, each as an observation to be or refused for a reason.
   * Throws `FormatError` if the file as a whole is not of this format: nothing of it is kept then.
   */
  read: (file: SourceFile) => AsyncIterable<ReadRow>;
  /** The same rows, as many as come at once: for a format that brings millions. */
  readMany?: (file: SourceFile) => AsyncIterable<readonly ReadRow[]>;
}

/**
 * The file is not what the connector reads: swapped columns, another format, cut off. Names the file, and the row where there
 * is one. Where the message quotes the file, `unquoted` says the same of an answer of the network, of which nothing is quoted.
 */
export class FormatError extends Error {
  constructor(file: Pick<SourceFile, 'name'>, row: number | null, message: string, unquoted = message) {
    const shown = /^https?:/i.test(file.name) ? unquoted : message;
    super(`${file.name}${row === null ? '' : `, row ${row}`}: ${oneLine(shown)}`);
    this.name = 'FormatError';
  }
}
