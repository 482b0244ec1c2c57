import { createHash, type Hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/source-files.ts';
import { codeIn, forgetCode } from './code-of.ts';
import { filesOf, type GroupName, type Part } from './heavy-groups.ts';
import { loadedBy, type Loaded } from './loaded-files.ts';

/** By name of a test file or of a page's view. */
export type Keys = Readonly<Record<string, string>>;

/** Key of each page's view, by its name; asked for only if a part of the group has pages. */
export type PageKeys = () => Promise<Keys>;

/**
 * For each test file of a group the hash of all that decides how it ends: the code of what it loads, comments aside, and the
 * versions of the packages. Pages have keys of their own, which stand beside those of the files.
 */
export async function keysOf(group: GroupName, pageKeys: PageKeys): Promise<Keys> {
  // As the files are now.
  forgetCode();
  hashes.clear();
  const files = filesOf(group);
  const pages = [...files.values()].some(({ walksPages }) => walksPages === true) ? await pageKeys() : {};
  const ofFiles = [...files]
    .filter(([, part]) => part.walksPages !== true)
    .map(([file, part]) => [file, keyOf(file, part, pages)]);
  return { ...Object.fromEntries(ofFiles), ...pages };
}

/** Of the code of what entries load, and of the versions of packages. */
export function codeHashOf(entries: readonly string[]): string {
  const hash = createHash('sha256');
  addTo(hash, loadedBy(entries));
  return hash.digest('hex');
}

function keyOf(file: string, part: Part, pageKeys: Keys): string {
  const hash = createHash('sha256');
  addTo(hash, loadedOf(file, part));
  for (const name of part.pages ?? []) {
    const key = pageKeys[name];
    if (key === undefined) throw new Error(`no page is called ${name}: mend the list in test/run/heavy`);
    hash.update(`${name}\0${key}\0`);
  }
  return hash.digest('hex').slice(0, 16);
}

function addTo(hash: Hash, { files, packages }: Loaded): void {
  for (const path of files) hash.update(`${path}\0${codeHash(path)}\0`);
  for (const name of packages) hash.update(`${name}\0${versionsOf(name)}\0`);
}

/** The files and packages that count for a test file. */
export function loadedOf(file: string, { loads = [], leavesOut = [] }: Part): Loaded {
  const begins = (path: string) => (start: string) => path.startsWith(start);
  return loadedBy([file, ...loads], (path) => leavesOut.some(begins(path)) && !loads.some(begins(path)));
}

const hashes = new Map<string, string>();

const codeHash = (path: string): string =>
  hashes.getOrInsertComputed(path, () => {
    return createHash('sha256').update(codeIn(path)).digest('hex');
  });

interface Lock {
  packages: Record<string, { version?: string; dependencies?: Record<string, string> }>;
}

let lock: Lock | undefined;

/** The package's version in the lock file, and those of all that it needs in turn. */
function versionsOf(name: string): string {
  lock ??= JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const seen = new Set([name]);
  for (const one of seen)
    for (const needed of Object.keys(lock.packages[`node_modules/${one}`]?.dependencies ?? {})) seen.add(needed);
  return [...seen]
    .toSorted()
    .map((one) => `${one}@${lock?.packages[`node_modules/${one}`]?.version ?? ''}`)
    .join(' ');
}
