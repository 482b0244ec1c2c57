import { closureOf } from '../support/source-files.ts';

const DATABASE = 'test/support/postgres.ts';
/** A program is started by one of these only. */
const STARTERS = ['execa', 'node:child_process'];

/** Whether anything that a test file loads can start a program; the tests' database counts as one unless told otherwise. */
export function startsProcess(file: string, { database = true } = {}): boolean {
  const known = new Set([...STARTERS, DATABASE]);
  const counted = new Set(database ? known : STARTERS);
  return closureOf(file, (target) => !known.has(target)).some(({ target }) => counted.has(target));
}

/** Whether a test file needs a database, which is started for the whole run. */
export const needsDatabase = (file: string): boolean => closureOf(file).some(({ target }) => target === DATABASE);
