import { filesUnder } from '../support/source-files.ts';
import { startsProcess } from './starts-process.ts';

/** Their files say the same of the same bytes: they run if those changed, or if an area names one of them. */
const SWEEPS = 'test/native/sweeps/';
/** What waits for nodes and networks begins first, so that the many short files fill the gaps it leaves. */
const FIRST = ['test/containers/', 'test/e2e/', 'test/native/', 'test/attack/'];

/**
 * Test files of the areas named, as folders or files of the source tree or of `test/`: `coordinator/jobs`,
 * `test/native/gpu-run.test.ts`. No area: all of them.
 */
export function chooseFiles(areas: readonly string[], { fast = false, proven = false } = {}): string[] {
  const all = filesUnder('test', '.test.ts').toSorted();
  const prefixes = areas.map((area) => `test/${area.replace(/^\.?\/?(test\/)?/, '').replace(/\/$/, '')}`);
  for (const [at, prefix] of prefixes.entries()) {
    if (!all.some((file) => isIn(file, prefix)))
      throw new Error(
        `ONLY: "${areas[at]}" has no tests. Name a folder or a test file, as in ONLY="coordinator/jobs agent/links".`,
      );
  }
  const named = prefixes.some((prefix) => prefix.startsWith(SWEEPS.slice(0, -1)));
  const chosen = all.filter(
    (file) =>
      (prefixes.length === 0 || prefixes.some((prefix) => isIn(file, prefix))) &&
      (!file.startsWith(SWEEPS) || !proven || named) &&
      (!fast || !startsProcess(file)),
  );
  const rank = (file: string): number => {
    const at = FIRST.findIndex((folder) => file.startsWith(folder));
    return at < 0 ? FIRST.length : at;
  };
  return chosen.toSorted((a, b) => rank(a) - rank(b));
}

const isIn = (file: string, prefix: string): boolean =>
  file === prefix || file === `${prefix}.test.ts` || file.startsWith(`${prefix}/`);
