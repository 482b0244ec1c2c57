import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { filesUnder } from '../../support/source-files.ts';
import { codeOf } from './code-of.ts';
import { filesOf, HEAVY_GROUPS, parts } from './heavy-groups.ts';
import { loadedBy } from './loaded-files.ts';
import { loadedOf } from './proof-keys.ts';
import { recordGreen, staleOf } from './proven-record.ts';

delete process.env['FULL'];

const same = (name: string, one: string, other: string): void =>
  assert.equal(String(codeOf(name, Buffer.from(one))), String(codeOf(name, Buffer.from(other))), one);
const differ = (name: string, one: string, other: string): void =>
  assert.notEqual(String(codeOf(name, Buffer.from(one))), String(codeOf(name, Buffer.from(other))), one);

test('comments, blank lines and types do not count; what looks like a comment within a text does', () => {
  same('a.ts', 'export const a: number = 1;', '/** One. */\nexport const a = 1; // one\n\n');
  differ('a.ts', "export const a = 'http://a';", "export const a = 'http://b';");
  differ('a.ts', 'export const a = `/* 1 */`;', 'export const a = `/* 2 */`;');
  same('a.cpp', 'int a = 1; // one\n\n/* two\n lines */ int b;', 'int a = 1;\n int b;');
  differ('a.cpp', 'auto a = "// 1";', 'auto a = "// 2";');
  differ('a.cpp', 'auto a = R"x(// 1)" )x";', 'auto a = R"x(// 2)" )x";');
  differ('a.cpp', "int a = 1'000'000; // 1\nint b = 1'0;", "int a = 1'000'000; // 1\nint b = 2'0;");
  differ('a.h', "char a = '\"'; int b = 1;", "char a = '\"'; int b = 2;");
  same('a.css', 'a { color: red } /* why */', 'a { color: red }');
  differ('a.sql', 'select 1 -- one', 'select 1');
});

test('a test loads what its imports load, the workers that they start by name, and the tables beside them', () => {
  const { files, packages } = loadedBy(['coordinator/main.ts']);
  for (const file of [
    'coordinator/app.ts',
    'coordinator/platform/http/upload-thread.ts',
    'coordinator/reports/report-worker.ts',
    'coordinator/market/providers.csv',
    'coordinator/platform/db/driver/postgres-3.4.9.patch',
    'coordinator/portal/styles/tables.css',
  ])
    assert.ok(files.includes(file), file);
  assert.ok(filesUnder('coordinator/platform/db/migrations', '.sql').every((file) => files.includes(file)));
  assert.ok(packages.includes('hono') && packages.includes('@hono/node-server'));
  assert.ok(!files.some((file) => file.startsWith('agent/') || file.startsWith('test/') || file.endsWith('.md')));
});

test('a C++ file loads its headers, and the sources of their names', () => {
  const { files } = loadedBy(['native/src/link/sender.cpp']);
  assert.ok(files.includes('native/src/link/pace.h') && files.includes('native/src/link/pace.cpp'));
  assert.ok(!files.some((file) => file.startsWith('native/src/gpu/')));
});

test('what a part leaves out counts only as far as it is named', () => {
  const [file] = filesOf('links').keys();
  const named = loadedOf(
    'test/e2e/network.test.ts',
    filesOf('links').get('test/e2e/network.test.ts') ?? assert.fail(file),
  );
  const ofCoordinator = named.files.filter((path) => path.startsWith('coordinator/'));
  assert.ok(ofCoordinator.length > 20 && ofCoordinator.every((path) => path.startsWith('coordinator/network/')));
  assert.ok(named.files.includes('agent/links/run-cluster-network.ts'));
});

test('no change of the agent starts Slurm, and none of its code starts what does not load it', () => {
  const reached = (group: (typeof HEAVY_GROUPS)[number], folder: string): string[] =>
    [...filesOf(group)].flatMap(([file, part]) =>
      part.walksPages !== true && loadedOf(file, part).files.some((path) => path.startsWith(folder)) ? [file] : [],
    );
  assert.ok(!reached('containers', 'agent/').includes('test/containers/slurm.test.ts'));
  assert.ok(!reached('containers', 'coordinator/').includes('test/containers/slurm.test.ts'));
  assert.deepEqual(reached('browser', 'agent/'), []);
});

test('every start of a path that a group names is that of a test, and every file that it loads is there', () => {
  const tests = filesUnder('test', '.test.ts');
  for (const group of HEAVY_GROUPS)
    for (const { tests: starts, loads = [] } of parts[group]) {
      for (const start of starts)
        assert.ok(
          tests.some((file) => file.startsWith(start)),
          start,
        );
      assert.doesNotThrow(() => loadedBy(loads));
    }
  assert.throws(() => loadedBy(['agent/nothing.ts']), /agent\/nothing\.ts is not there/);
});

function treeOf(t: TestContext): { tree: string; text: () => string } {
  const tree = mkdtempSync(join(tmpdir(), 'gpumark-proven-'));
  t.after(() => rmSync(tree, { recursive: true }));
  mkdirSync(join(tree, 'test'));
  writeFileSync(join(tree, 'test/proven.json'), '{}\n');
  return { tree, text: () => readFileSync(join(tree, 'test/proven.json'), 'utf8') };
}

test('what was green stays proven until its key is another; a new file is not; FULL asks for everything', (t) => {
  const { tree, text } = treeOf(t);
  const keys = { 'test/b.test.ts': 'b'.repeat(16), 'test/a.test.ts': 'a'.repeat(16) };
  assert.deepEqual(staleOf('links', keys, tree), Object.keys(keys));
  recordGreen('links', keys, tree);
  assert.deepEqual(staleOf('links', keys, tree), []);
  assert.deepEqual(staleOf('native', keys, tree), Object.keys(keys), 'of another group nothing is');
  const changed = { ...keys, 'test/a.test.ts': 'c'.repeat(16), 'test/d.test.ts': 'd'.repeat(16) };
  assert.deepEqual(staleOf('links', changed, tree), ['test/a.test.ts', 'test/d.test.ts']);
  const before = text();
  recordGreen('links', { ...keys }, tree);
  assert.equal(text(), before);
  assert.ok(before.indexOf('a.test.ts') < before.indexOf('b.test.ts'), 'in one order, so that a merge is easy');
  process.env['FULL'] = '1';
  t.after(() => delete process.env['FULL']);
  assert.deepEqual(staleOf('links', keys, tree), Object.keys(keys));
});
