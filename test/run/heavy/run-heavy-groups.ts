import { execa } from 'execa';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAVOURED } from '../../support/netns-lab/favoured.ts';
import { root } from '../../support/source-files.ts';
import { runFiles } from '../run-files.ts';
import { filesOf, HEAVY_GROUPS, type GroupName } from './heavy-groups.ts';
import { keysOf, type Keys } from './proof-keys.ts';
import { STALE_PAGES } from './stale-pages.ts';
import { recordGreen, staleOf } from './proven-record.ts';

/** Where real time counts nothing else may run; elsewhere two cores are kept busy while some files wait. */
const AT_ONCE: Readonly<Record<GroupName, number>> = {
  containers: 3,
  browser: 2,
  runs: 4,
  native: 3,
  links: 1,
  attack: 1,
  data: 3,
};

/**
 * Of each group what is not proven for the bytes that are here, one group after the other; a green group is recorded. The
 * first red one ends the run. True if all are green.
 *
 * @throws if there is no group of a name
 */
export async function runHeavyGroups(names: readonly string[], signal: AbortSignal): Promise<boolean> {
  const isGroup = (name: string): name is GroupName => HEAVY_GROUPS.some((group) => group === name);
  const unknown = names.filter((name) => !isGroup(name));
  if (unknown.length > 0)
    throw new Error(`GROUPS: there is no ${unknown.join(', ')}; there are ${HEAVY_GROUPS.join(', ')}`);
  for (const group of names.length === 0 ? HEAVY_GROUPS : names.filter(isGroup))
    if (!(await runGroup(group, signal))) return false;
  return true;
}

async function runGroup(group: GroupName, signal: AbortSignal): Promise<boolean> {
  const keys = await keysOf(group, pageKeys);
  const stale = new Set(staleOf(group, keys));
  if (stale.size === 0) {
    process.stdout.write(`${group}: all of it was green for these bytes; FULL=1 runs it again\n`);
    return true;
  }
  const isPage = (name: string): boolean => !name.endsWith('.test.ts');
  const pages = [...stale].filter(isPage);
  const walked =
    pages.length > 0 ? [...filesOf(group)].flatMap(([file, part]) => (part.walksPages === true ? [file] : [])) : [];
  const files = [...new Set([...[...stale].filter((name) => !isPage(name)), ...walked])];
  process.stdout.write(`${group}: ${files.length} files${pages.length > 0 ? `, ${pages.length} pages` : ''}\n`);
  process.env[STALE_PAGES] = JSON.stringify(pages);
  if (group === 'links') favourThisRun();
  const green = await runFiles(files, { atOnce: AT_ONCE[group], signal, shares: false });
  if (!green) return false;
  const after = await keysOf(group, pageKeys);
  const changed = Object.keys({ ...keys, ...after }).filter((name) => keys[name] !== after[name]);
  if (changed.length === 0) recordGreen(group, keys);
  else process.stdout.write(`${group}: not recorded, since these changed during the run: ${changed.join(', ')}\n`);
  return true;
}

/**
 * What measures real time has priority over whatever else the machine does, and what it starts inherits that. Without the
 * privilege it is measured as the machine allows; the networks in namespaces need it anyway.
 */
function favourThisRun(): void {
  try {
    setPriority(FAVOURED);
  } catch (error) {
    process.stdout.write(`links: without priority over other processes: ${String(error)}\n`);
  }
}

/** In a process of its own: loading what the tests use turns a process into one that runs tests. */
async function pageKeys(): Promise<Keys> {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-page-keys-'));
  try {
    const into = join(folder, 'keys.json');
    await execa(process.execPath, [join(root, 'test/coordinator/portal/browser/write-page-keys.ts'), into]);
    return JSON.parse(readFileSync(into, 'utf8')) as Keys;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
