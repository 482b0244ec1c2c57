/** All exit codes (`gpumark-agent help exit-codes` has a remedy for each). */
export const exitCodes = {
  ok: 0,
  bug: 1,
  usage: 2,
  warnings: 3,
  refused: 4,
  no_device: 5,
  kernel: 6,
  unreachable: 7,
  thresholds: 8,
  health: 9,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
} as const;

export type ExitReason = keyof typeof exitCodes;

/** Ends the program with a code from the table. Only main.ts prints it: one sentence, then the remedy. */
export class ExitError extends Error {
  readonly reason: ExitReason;
  readonly remedy: string | null;

  constructor(reason: ExitReason, message: string, remedy: string | null = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ExitError';
    this.reason = reason;
    this.remedy = remedy;
  }

  get code(): number {
    return exitCodes[this.reason];
  }
}
