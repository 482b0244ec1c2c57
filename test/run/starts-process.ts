import { closureOf } from '../support/source-files.ts';

const DATABASE = 'test/support/postgres.ts';
/** A program is started by one of these only. */
const STARTERS = ['execa', 'node:child_process'];
/**
 * The coordinator starts one program, a Postgres of its own, where it is given no address of one. All tests give it theirs,
 * but for those that are about this: they import it, or what makes its data directory.
 */
const OWN_POSTGRES = 'coordinator/platform/db/embedded/';

/** Whether anything that a test file loads starts a program; the tests' database counts as one unless told otherwise. */
export function startsProcess(file: string, { database = true } = {}): boolean {
  const starters = new Set(database ? [...STARTERS, DATABASE] : STARTERS);
  return closureOf(file, (target) => target !== DATABASE && !target.startsWith(OWN_POSTGRES)).some(
    ({ file: from, target }) =>
      starters.has(target) || (target.startsWith(OWN_POSTGRES) && !from.startsWith('coordinator/')),
  );
}

/** Whether a test file needs a database, which is started for the whole run. */
export const needsDatabase = (file: string): boolean => closureOf(file).some(({ target }) => target === DATABASE);
