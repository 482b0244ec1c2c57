import { filesUnder } from '../support/source-files.ts';
import { groupOf } from './heavy/heavy-groups.ts';
import { startsProcess } from './starts-process.ts';

/** What waits for programs begins first, so that the many short files fill the gaps it leaves. */
const FIRST = ['test/e2e/', 'test/native/', 'test/agent/'];

/** Those of `make test`, those of them that start no program, those of the heavy groups, or all. */
export type Choice = 'light' | 'fast' | 'heavy' | 'all';

/**
 * Test files of the areas named, as folders or files of the source tree or of `test/`: `coordinator/jobs`,
 * `test/native/gpu-faults.test.ts`. No area: all of them.
 */
export function chooseFiles(areas: readonly string[], choice: Choice): string[] {
  const all = filesUnder('test', '.test.ts').toSorted();
  const named = areas.flatMap((area) => {
    const prefix = `test/${area.replace(/^\.?\/?(test\/)?/, '').replace(/\/$/, '')}`;
    const files = all.filter((file) => isIn(file, prefix));
    if (files.length === 0)
      throw new Error(
        `ONLY: "${area}" has no tests. Name a folder or a test file, as in ONLY="coordinator/jobs agent/links".`,
      );
    if (!files.some((file) => isChosen(file, choice))) throw new Error(`ONLY: "${area}" ${elsewhere[choice]}`);
    return files;
  });
  const rank = (file: string): number => {
    const at = FIRST.findIndex((folder) => file.startsWith(folder));
    return at < 0 ? FIRST.length : at;
  };
  return (areas.length === 0 ? all : [...new Set(named)])
    .filter((file) => isChosen(file, choice))
    .toSorted((a, b) => rank(a) - rank(b));
}

function isChosen(file: string, choice: Choice): boolean {
  if (choice === 'all') return true;
  const isHeavy = groupOf(file) !== null;
  if (choice === 'heavy') return isHeavy;
  return !isHeavy && (choice === 'light' || !startsProcess(file));
}

const elsewhere: Readonly<Record<Choice, string>> = {
  light: 'has heavy tests only: make test-heavy ONLY=...',
  fast: 'has no test without a program: make test ONLY=...',
  heavy: 'has no heavy tests: make test ONLY=...',
  all: 'has no tests',
};

const isIn = (file: string, prefix: string): boolean =>
  file === prefix || file === `${prefix}.test.ts` || file.startsWith(`${prefix}/`);
