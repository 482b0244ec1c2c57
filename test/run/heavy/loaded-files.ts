import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { filesUnder, root } from '../../support/source-files.ts';
import { codeIn } from './code-of.ts';

/** Written by a build or by a measurement, or read by people only. */
const NO_PART = /^native\/(build|results)\/|\.(md|log)$/;

export interface Loaded {
  /** repository paths, sorted */
  files: string[];
  /** names of packages */
  packages: string[];
}

/**
 * All that `entries` load: of a folder (with `/` at its end) every file; of a TypeScript file its imports in turn, the
 * workers it starts by name, and the tables and patches beside the product's files; of a C++ file its headers and the
 * sources of the same names. Files that `leavesOut` matches are neither counted nor followed.
 */
export function loadedBy(entries: readonly string[], leavesOut: (file: string) => boolean = () => false): Loaded {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const add = (file: string): void => {
    if (!NO_PART.test(file) && !leavesOut(file)) seen.add(file);
  };
  for (const entry of entries)
    if (entry.endsWith('/')) for (const file of filesUnder(entry, '')) add(file);
    else if (existsSync(join(root, entry))) add(entry);
    else throw new Error(`${entry} is not there: mend the list in test/run/heavy`);
  const areas = new Set<string>();
  for (const file of seen) {
    for (const target of file.endsWith('.ts') ? targetsOf(file, packages) : includesOf(file)) add(target);
    const [area] = AREA.exec(file) ?? [];
    if (area === undefined || areas.has(area)) continue;
    areas.add(area);
    for (const beside of filesUnder(area, '')) if (!beside.endsWith('.ts')) add(beside);
  }
  return { files: [...seen].toSorted(), packages: [...packages].toSorted() };
}

/** An area of the product reads the tables and patches of its own folder. */
const AREA = /^(?:agent|coordinator)\/[^/]+\/(?=.*\.ts$)/;

/** In code without types, of which no import is left then. */
const IMPORTED = /\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g;
/** A file beside the source: a worker, a fixture. Of a path put together at run time the part that stands there. */
const BESIDE = /\bnew URL\(["'`]([^"'`]+)["'`],import\.meta\.url\)|\bimport\.meta\.dirname,["'`]([^"'`]+)["'`]/g;

function targetsOf(file: string, packages: Set<string>): string[] {
  const code = String(codeIn(file));
  const found: string[] = [];
  for (const [, name = ''] of code.matchAll(IMPORTED))
    if (name.startsWith('.')) found.push(relative(root, resolve(root, dirname(file), name)));
    else if (!name.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  for (const [, ofUrl, ofFolder] of code.matchAll(BESIDE)) {
    const [named = '', ...rest] = (ofUrl ?? ofFolder ?? '').split('${');
    const path = relative(root, resolve(root, dirname(file), named));
    const kind = statSync(join(root, path), { throwIfNoEntry: false });
    if (kind?.isFile() === true) found.push(path);
    if (kind?.isDirectory() === true && rest.length > 0 && named.endsWith('/')) found.push(...filesUnder(path, ''));
  }
  return found.filter((target) => existsSync(join(root, target)));
}

const C_LIKE = new Set(['.cpp', '.h', '.cu', '.hip', '.S']);
/** Where the compiler looks for what is included, beside the file's own folder. */
const INCLUDED_FROM = ['native/src', 'native/device', 'test/native', 'test/support/simulated-driver'];

function includesOf(file: string): string[] {
  if (!C_LIKE.has(extname(file))) return [];
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)].flatMap(([, name = '']) => {
    const folder = [dirname(file), ...INCLUDED_FROM].find((from) => existsSync(join(root, from, name)));
    if (folder === undefined) return [];
    const header = join(folder, name);
    const source = join(dirname(header), `${basename(header, extname(header))}.cpp`);
    return existsSync(join(root, source)) ? [header, source] : [header];
  });
}
