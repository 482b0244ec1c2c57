import { closureOf } from '../support/source-files.ts';

const DATABASE = 'test/support/postgres.ts';
/** The coordinator's commands can start a Postgres of their own; the tests that run them give them the tests' one. */
const COMMANDS = 'test/support/run-program.ts';
/** A program is started by one of these only. */
const STARTERS = ['execa', 'node:child_process'];

/** Whether anything that a test file loads starts a program; the tests' database counts as one unless told otherwise. */
export function startsProcess(file: string, { database = true } = {}): boolean {
  const known = new Set([...STARTERS, DATABASE, COMMANDS]);
  const counted = new Set(database ? [...STARTERS, DATABASE] : STARTERS);
  return closureOf(file, (target) => !known.has(target)).some(({ target }) => counted.has(target));
}

/** Whether a test file needs a database, which is started for the whole run. */
export const needsDatabase = (file: string): boolean => closureOf(file).some(({ target }) => target === DATABASE);
