import { dirname } from 'node:path';
import { chooseFiles } from '../run/choose-files.ts';
import { filesOf, HEAVY_GROUPS } from '../run/heavy/heavy-groups.ts';
import { loadedOf } from '../run/heavy/proof-keys.ts';
import { closureOf } from '../support/source-files.ts';

/**
 * The test files to be asked about a fault in `file`: those of `make test`, and the heavy ones whose keys it changes. Those
 * that are likely to find it come first: the folder that mirrors its own, then all that load it, then those that start
 * whole programs.
 */
export function testsFor(file: string): string[][] {
  const all = [...chooseFiles([], 'light'), ...heavyFor(file)];
  const mirror = `test/${dirname(file)}/`;
  const near = all.filter((test) => test.startsWith(mirror));
  // What loads little is about what it loads.
  const loading = all
    .filter((test) => !near.includes(test) && closureFiles(test).has(file))
    .toSorted((a, b) => closureFiles(a).size - closureFiles(b).size);
  const whole = all.filter((test) => !near.includes(test) && !loading.includes(test) && WHOLE.test(test));
  return [near, loading, whole].filter((tests) => tests.length > 0);
}

const heavyFor = (file: string): string[] =>
  HEAVY_GROUPS.flatMap((group) => [...filesOf(group)])
    .filter(([test, part]) =>
      part.walksPages === true ? file.startsWith('coordinator/portal/') : loadedOf(test, part).files.includes(file),
    )
    .map(([test]) => test);

/** These start coordinator or agent as processes, which loads what no import of theirs names. */
const WHOLE = /^test\/(e2e|attack|fuzz)\/|^test\/(agent|coordinator)\/(main|commands)|packaging/;

const closures = new Map<string, Set<string>>();

function closureFiles(test: string): Set<string> {
  let closure = closures.get(test);
  if (closure === undefined) {
    closure = new Set(closureOf(test).map(({ target }) => target));
    closures.set(test, closure);
  }
  return closure;
}
