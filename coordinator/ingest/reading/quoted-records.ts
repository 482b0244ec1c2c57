import { parse } from 'csv-parse';

/** The full grammar of CSV (RFC 4180). It looks at every byte, so only files with quotes in them go through it. */
export interface QuotedRecords {
  /** Resolves to the records that ended in these bytes. Rejects with the parser's error, which has a code. */
  write: (bytes: Uint8Array) => Promise<string[][]>;
  end: () => Promise<string[][]>;
  /** records that ended before an error and were not delivered */
  pending: () => number;
  close: () => void;
}

export function quotedRecords(maxRowBytes: number): QuotedRecords {
  let records: string[][] = [];
  const parser = parse({
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
    // Taken here a record goes no further: one promise a chunk and not one a row.
    on_record: (record: string[]) => {
      records.push(record);
      return null;
    },
  });
  // Every error reaches the callback of the write it came from; without a listener it would end the process as well.
  parser.on('error', () => undefined);
  parser.resume();
  const taken = (start: (done: (error?: Error | null) => void) => void): Promise<string[][]> =>
    new Promise((resolve, reject) => {
      start((error) => {
        if (error) return reject(error);
        resolve(records);
        records = [];
      });
    });
  return {
    write: (bytes) => taken((done) => parser.write(bytes, done)),
    end: () => taken((done) => parser.end(done)),
    pending: () => records.length,
    close: () => parser.destroy(),
  };
}
