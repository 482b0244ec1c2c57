import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

export interface Import {
  file: string;
  /** repository path of one of our files, or the bare package name */
  target: string;
  ours: boolean;
}

/** Repository paths of all files below a folder that end with `ending`. */
export function filesUnder(folder: string, ending = '.ts', tree = root): string[] {
  return readdirSync(join(tree, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)));
}

/** What a file imports by name, types included; a path put together at run time is not seen. */
export function importsOf(file: string): readonly Import[] {
  let known = imports.get(file);
  if (known === undefined) imports.set(file, (known = readImports(file)));
  return known;
}

const imports = new Map<string, readonly Import[]>();

function readImports(file: string): Import[] {
  const source = readFileSync(join(root, file), 'utf8');
  const specifiers = source.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+'([^']+)'|\bimport\('([^']+)'\)|(?:^|\n)import '([^']+)'/g,
  );
  return [...specifiers].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    const ours = specifier.startsWith('.');
    return { file, ours, target: ours ? relative(root, resolve(root, dirname(file), specifier)) : specifier };
  });
}

/** All that a file loads, itself first; `enter` says whose own imports are followed. */
export function closureOf(file: string, enter: (target: string) => boolean = () => true): Import[] {
  const seen = new Set([file]);
  const found: Import[] = [];
  for (const from of seen) {
    for (const entry of importsOf(from)) {
      found.push(entry);
      if (entry.ours && entry.target.endsWith('.ts') && enter(entry.target)) seen.add(entry.target);
    }
  }
  return found;
}

/** Which folders of a tree, `depth` below it, use which others. A folder and one above or below it are one house. */
export function usesOf(tree: string, depth: number): Map<string, Set<string>> {
  const folderOf = (path: string): string =>
    dirname(path)
      .split('/')
      .slice(0, 1 + depth)
      .join('/');
  const uses = new Map<string, Set<string>>();
  for (const { file, target, ours } of filesUnder(tree).flatMap(importsOf)) {
    const [from, to] = [folderOf(file), folderOf(target)];
    if (!ours || !target.startsWith(`${tree}/`) || from === to) continue;
    if (from.startsWith(`${to}/`) || to.startsWith(`${from}/`)) continue;
    uses.set(from, (uses.get(from) ?? new Set()).add(to));
  }
  return uses;
}

/** The text of a source file. */
export function withoutComments(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '');
}
