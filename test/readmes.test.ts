import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { filesUnder, root } from './support/source-files.ts';

const FOLDERS = ['agent', 'coordinator', 'native', 'containers', 'test'];
const readmes = ['README.md', ...FOLDERS.flatMap((folder) => filesUnder(folder, 'README.md'))];

/** Files of others, and endings. */
const NOT_OURS = new Set(['vms.csv', 'cuda.h', '-ops.h']);
/** `NNNN-name.sql` stands for any. */
const PLACEHOLDER = /[A-Z]{4}/;

test('a file that a README names is there: beside it, from the top, or by the end of its path', () => {
  assert.ok(readmes.length > 30, 'the walk found them');
  const files = FOLDERS.flatMap((folder) => filesUnder(folder, ''));
  const known = new Set(files);
  const gone = readmes.flatMap((readme) => {
    const named = readFileSync(join(root, readme), 'utf8').matchAll(/`([\w./-]+\.(?:ts|js|cpp|h|S|sh|sql|csv))`/g);
    return [...new Set([...named].map(([, name = '']) => name))]
      .filter((name) => !PLACEHOLDER.test(name) && !NOT_OURS.has(name))
      .filter((name) => !known.has(normalize(join(dirname(readme), name))) && !known.has(name))
      .filter((name) => !files.some((file) => file.endsWith(`/${name}`)))
      .map((name) => `${readme}: ${name}`);
  });
  assert.deepEqual(gone, []);
});
