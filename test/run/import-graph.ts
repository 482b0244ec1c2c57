import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesUnder, root, usesOf } from '../support/source-files.ts';

/*
 * The house on one screen: node test/run/import-graph.ts. Each area of the coordinator with its files, their median of lines
 * and the areas that it imports. An area stands below all that it imports; what cannot be put so is a ring, which is said.
 */

const uses = usesOf('coordinator', 1);
const areas = new Set(filesUnder('coordinator').map((path) => path.split('/').slice(0, 2).join('/')));
const left = new Set([...areas].filter((area) => !area.endsWith('.ts')));
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const shortName = (area: string): string => area.slice('coordinator/'.length);

function sizeOf(folder: string): { files: number; median: number } {
  const lines = filesUnder(folder)
    .map((path) => readFileSync(join(root, path), 'utf8').split('\n').length - 1)
    .toSorted((a, b) => a - b);
  return { files: lines.length, median: lines[Math.floor(lines.length / 2)] ?? 0 };
}

function printArea(area: string): void {
  const { files, median } = sizeOf(area);
  const imported = [...(uses.get(area) ?? [])].map(shortName).toSorted().join(', ');
  print(
    `${shortName(area).padEnd(16)}${String(files).padStart(4)} files, median ${String(median).padStart(3)}  ${imported}`,
  );
}

while (left.size > 0) {
  const next = [...left].filter((area) => ![...(uses.get(area) ?? [])].some((used) => left.has(used)));
  const isRing = next.length === 0;
  if (isRing) print('in a ring:');
  for (const area of (isRing ? [...left] : next).toSorted()) {
    left.delete(area);
    printArea(area);
  }
  if (isRing) process.exitCode = 1;
}
for (const tree of ['coordinator', 'agent']) {
  const { files, median } = sizeOf(tree);
  print(`${tree}: ${files} files, median ${median} lines`);
}
