/**
 * The database cannot be used, and the message is the whole story: one or two sentences
 * for the operator that name the cause and the remedy, and never a password.
 * `main.ts` prints the message without a stack and stops.
 */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}
