import type { Readable, Writable } from 'node:stream';

/** The outside world of a command; main.ts passes in that of the process. */
export interface Edges {
  environment: Record<string, string | undefined>;
  now: () => Date;
  randomBytes: (count: number) => Buffer;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
  /** Registers the handler for SIGINT and SIGTERM. */
  onStop: (stop: (signal: 'SIGINT' | 'SIGTERM') => void) => void;
  /** Ends the process at once, on the second stop signal. */
  exit: (code: number) => void;
}
