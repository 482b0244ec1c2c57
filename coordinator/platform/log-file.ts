import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';
import { z } from 'zod';

/** Bytes of the file and of its one predecessor, `PATH.1`: a month of a busy coordinator. */
const MOST_BYTES = 64 * 1024 * 1024;

/** pino's number of `warn`. */
const WARN = 40;

const shown = z.object({
  level: z.number(),
  msg: z.string(),
  remedy: z.string().optional(),
  err: z.object({ message: z.string() }).optional(),
});

/**
 * The log of a process that somebody started at a terminal: lines go to the file `path`, created with the first of them;
 * warnings and errors are also shown on `terminal`, one line of text each.
 */
export function logFileAt(path: string, terminal: Writable, mostBytes = MOST_BYTES): DestinationStream {
  let file: { descriptor: number; bytes: number } | null = null;
  const open = (): NonNullable<typeof file> => {
    const descriptor = openSync(path, 'a', 0o600);
    return { descriptor, bytes: fstatSync(descriptor).size };
  };
  return {
    write: (line) => {
      file ??= open();
      if (file.bytes > mostBytes) {
        closeSync(file.descriptor);
        renameSync(path, `${path}.1`);
        file = open();
      }
      file.bytes += writeSync(file.descriptor, line);
      const text = textOf(line);
      if (text !== null) terminal.write(`${text}\n`);
    },
  };
}

/** Null for what is only kept. */
function textOf(line: string): string | null {
  const { data } = shown.safeParse(JSON.parse(line));
  if (data === undefined || data.level < WARN) return null;
  const why = data.err === undefined ? '' : `: ${data.err.message}`;
  return `${data.level > WARN ? 'error' : 'warning'}: ${data.msg}${why}${data.remedy === undefined ? '' : `. ${data.remedy}`}`;
}
