import { closureOf } from '../support/source-files.ts';

/** A program is started by one of these only; the tests' database is one too. */
const STARTERS = new Set(['execa', 'node:child_process', 'test/support/postgres.ts']);

/** Whether anything that a test file loads can start a program. */
export const startsProcess = (file: string): boolean =>
  closureOf(file, (target) => !STARTERS.has(target)).some(({ target }) => STARTERS.has(target));
