import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../support/source-files.ts';
import { HEAVY_GROUPS, type GroupName } from './heavy-groups.ts';
import type { Keys } from './proof-keys.ts';

/** Part of the repository: what was green for these keys is green wherever the keys are the same. */
const RECORD = 'test/proven.json';
const records = z.partialRecord(z.enum(HEAVY_GROUPS), z.record(z.string(), z.hex().length(16)));

const read = (tree: string): z.infer<typeof records> =>
  records.parse(JSON.parse(readFileSync(join(tree, RECORD), 'utf8')));

/** The names whose keys are not those of the last green run. With FULL in the environment that is all of them. */
export function staleOf(group: GroupName, keys: Keys, tree = root): string[] {
  const proven = process.env['FULL'] ? {} : (read(tree)[group] ?? {});
  return Object.keys(keys).filter((name) => proven[name] !== keys[name]);
}

/** After a green run of all that was stale. The file changes only if a key did. */
export function recordGreen(group: GroupName, keys: Keys, tree = root): void {
  const record = {
    ...read(tree),
    [group]: Object.fromEntries(Object.entries(keys).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
  const inOrder = Object.fromEntries(HEAVY_GROUPS.filter((name) => record[name]).map((name) => [name, record[name]]));
  const text = `${JSON.stringify(inOrder, null, 2)}\n`;
  if (text !== readFileSync(join(tree, RECORD), 'utf8')) writeFileSync(join(tree, RECORD), text);
}
