import type { Readable, Writable } from 'node:stream';

/** The outside world of a command; main.ts hands in the process's own. */
export interface Edges {
  environment: Record<string, string | undefined>;
  now: () => Date;
  randomBytes: (count: number) => Buffer;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
  /** Registers what is to happen on SIGINT and SIGTERM. */
  onStop: (stop: (signal: 'SIGINT' | 'SIGTERM') => void) => void;
  /** Ends the process at once, for a stop that is asked for twice or a database that is gone. */
  exit: (code: number) => void;
}
