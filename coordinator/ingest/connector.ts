import type { ReadRow } from './listing.ts';
import { oneLine } from './reading/source-error.ts';

export interface SourceFile {
  /** as the operator named it: path or URL */
  name: string;
  /** its content, unpacked; can be read once */
  content: AsyncIterable<Uint8Array>;
  /** day of the prices, if the file does not state it: `--as-of`, else the date in its name, else today for a URL */
  asOf: Date;
  /** whose prices these are, for a format of several providers: from the operator, else from the path; null if unknown */
  provider: string | null;
  /** which part of the source it is, if a day comes in several files; a later file of the same part and day replaces it */
  scope: string;
  /** days on which, by the operator, the source's prices changed their unit; ascending */
  unitChangedOn?: readonly string[];
}

/** Reads one publisher's format, including its traps; products, providers and countries are looked up afterwards. */
export interface Connector {
  /** as typed: `ingest <name> <file-or-url>` */
  name: string;
  title: string;
  kind: 'rental' | 'retail';
  /** address it is fetched from by default; null if the operator must name a file or URL */
  url: string | null;
  /** what its prices are from `unitChangedOn` on, if it can read both: "its prices are per accelerator" */
  unitAfterChange?: string;
  /** each row has its own date, so no day is needed for the file */
  rowsSayDay?: true;
  /** the provider that a path or URL names, for a format of several providers whose files do not name it */
  providerIn?: (name: string) => string | null;
  /** which file of an archive holds the table, if the publisher's archives hold others too; the first such file is read */
  tableIn?: (name: string) => boolean;
  /**
   * The rows of a file, each as a listing or as refused with a reason; rows that wait for others come last.
   * Throws `FormatError` if the file as a whole is not in this format: nothing of it is kept then.
   */
  read: (file: SourceFile) => AsyncIterable<ReadRow>;
  /** The same rows in batches, for a format with millions of rows. */
  readMany?: (file: SourceFile) => AsyncIterable<readonly ReadRow[]>;
}

/**
 * The file is not what the connector reads: swapped columns, another format, cut off. Names the file and, if there is one, the
 * row. If the message quotes the file, `unquoted` replaces it for a file fetched over http(s), which must not be quoted.
 */
export class FormatError extends Error {
  constructor(file: Pick<SourceFile, 'name'>, row: number | null, message: string, unquoted = message) {
    const shown = /^https?:/i.test(file.name) ? unquoted : message;
    super(`${file.name}${row === null ? '' : `, row ${row}`}: ${oneLine(shown)}`);
    this.name = 'FormatError';
  }
}
