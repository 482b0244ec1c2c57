/**
 * The database cannot be used. The message is complete: one or two sentences for the operator
 * that name the cause and the remedy, and never a password.
 * `main.ts` prints the message without a stack and stops.
 */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/** The part of a pino logger that this folder writes to. */
export type DatabaseLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};
