import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesUnder, importsOf, root } from './support/source-files.ts';

const productFiles = [...filesUnder('agent'), ...filesUnder('coordinator')];
/** Beside the product's own files these use it, as programs that somebody starts; a test of a file does not make it shared. */
const programs = [...filesUnder('test/bench'), ...filesUnder('test/device')];

/** Lists of like things, each member in a file of its own however short it is: commands, pages, connectors. */
const LISTS = new Set([
  'coordinator/commands/program.ts',
  'coordinator/portal/pages.ts',
  'coordinator/ingest/connectors/all-connectors.ts',
  'coordinator/ingest/carbon-and-token-connectors.ts',
]);

/** Why a short file with one importer, or none, stands by itself. */
const STANDS_ALONE: Readonly<Record<string, (file: string, importers: readonly string[]) => boolean>> = {
  'types of a package that has none': (file) => file.endsWith('.d.ts'),
  'is started by its name: a process, a worker, a thread': (file, importers) =>
    importers.length === 0 && /(^|\/)main\.ts$|-(worker|thread)\.ts$/.test(file),
  'binds the operations of an area': (file) => file.endsWith('/routes.ts'),
  'is a verb, of which each that routes.ts binds has a file': (_, importers) =>
    importers.length === 1 && importers.every((importer) => importer.endsWith('/routes.ts')),
  'is one of a list of like things': (_, importers) =>
    importers.length === 1 && importers.every((importer) => LISTS.has(importer)),
  'must have run before anything else is loaded': (file) => file === 'agent/cli/hide-command-line.ts',
};

const isTooSmall = (file: string, lines: number, importers: readonly string[]): boolean =>
  lines < 40 && importers.length < 2 && !Object.values(STANDS_ALONE).some((reason) => reason(file, importers));

test('a file of fewer than 40 lines with one importer lives with it', () => {
  const importersOf = Map.groupBy([...productFiles, ...programs].flatMap(importsOf), ({ target }) => target);
  const files = productFiles.map((file) => ({
    file,
    lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1,
    importers: [...new Set((importersOf.get(file) ?? []).map((entry) => entry.file))],
  }));
  const small = files.filter(({ file, lines, importers }) => isTooSmall(file, lines, importers));
  assert.deepEqual(
    small.map(({ file, lines, importers }) => `${file}: ${lines} lines for ${importers.join() || 'nobody'}`),
    [],
  );
  for (const [reason, holds] of Object.entries(STANDS_ALONE))
    assert.ok(
      files.some(({ file, lines, importers }) => lines < 40 && importers.length < 2 && holds(file, importers)),
      `no file needs the reason "${reason}"`,
    );
  const user = 'coordinator/market/latest-price.ts';
  assert.ok(isTooSmall('coordinator/market/one-rule.ts', 39, [user]), 'a rule split off its only user is found');
  assert.ok(isTooSmall('coordinator/market/one-rule.ts', 39, []), 'so is one that nobody uses');
  assert.ok(!isTooSmall('coordinator/market/one-rule.ts', 40, [user]));
  assert.ok(!isTooSmall('coordinator/market/one-rule.ts', 9, [user, 'coordinator/market/history-price.ts']));
});
