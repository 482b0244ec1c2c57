import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '../support/global-setup.ts';
import { chooseFiles } from './choose-files.ts';
import { runHeavyGroups } from './heavy/run-heavy-groups.ts';
import { runFiles } from './run-files.ts';
import { needsDatabase } from './starts-process.ts';

/**
 * `make test [ONLY="coordinator/jobs agent/links"]`, `make test-fast`, `make test-heavy [GROUPS="links browser"]`, `make
 * coverage`. Ends with the runner's own closing lines; exit code 2 if what was asked for does not exist.
 */
const { values, positionals: areas } = parseArgs({
  options: {
    fast: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    heavy: { type: 'boolean', default: false },
    groups: { type: 'string', default: '' },
  },
  allowPositionals: true,
});

/** Six files at a time keep two cores busy while some of them wait. */
const AT_ONCE = 6;

const stopped = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort());
process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});

async function main(): Promise<number> {
  const { signal } = stopped;
  if (values.heavy && areas.length === 0)
    return withDatabase(true, () => runHeavyGroups(values.groups.split(/\s+/).filter(Boolean), signal));
  const { coverage } = values;
  const files = chooseFiles(areas, values.heavy ? 'heavy' : values.fast ? 'fast' : coverage ? 'all' : 'light');
  return withDatabase(files.some(needsDatabase), () =>
    runFiles(files, { atOnce: AT_ONCE, signal, coverage, shares: !values.heavy }),
  );
}

async function withDatabase(isNeeded: boolean, work: () => Promise<boolean>): Promise<number> {
  if (isNeeded) await globalSetup();
  try {
    return (await work()) ? 0 : 1;
  } finally {
    if (isNeeded) await globalTeardown();
  }
}
