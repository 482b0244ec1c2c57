/**
 * The database cannot be used. The message is complete: one or two sentences for the operator
 * that name the cause and the remedy, and never a password.
 * `main.ts` prints the message without a stack and stops.
 */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/** How to go on where files of the embedded server are damaged. A start never deletes them. */
export const restoreIt = (clusterDir: string): string =>
  `Nothing was deleted: put the damaged file back from a copy of ${clusterDir}, or restore a backup into an empty DATA_DIR.`;

/** The part of a pino logger that this folder writes to. */
export type DatabaseLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};
