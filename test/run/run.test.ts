import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { chooseFiles } from './choose-files.ts';
import { startsProcess } from './starts-process.ts';

test('an area is a folder or a file of the source tree or of test/, and several are their sum', () => {
  const links = chooseFiles(['agent/links']);
  assert.ok(links.length > 5 && links.every((file) => file.startsWith('test/agent/links/')));
  assert.deepEqual(chooseFiles(['./test/agent/links/']), links);
  assert.deepEqual(chooseFiles(['architecture', 'test/lock-file.test.ts']), [
    'test/architecture.test.ts',
    'test/lock-file.test.ts',
  ]);
  assert.ok(chooseFiles([]).length > 200);
});

test('an area without tests is an error that names it, not a green run of nothing', () => {
  assert.throws(() => chooseFiles(['agent/links', 'coordinator/job']), /ONLY: "coordinator\/job" has no tests/);
});

test('sweeps of what is proven for these bytes are left out unless they are asked for', () => {
  const sweeps = (areas: string[], proven: boolean): number =>
    chooseFiles(areas, { proven }).filter((file) => file.startsWith('test/native/sweeps/')).length;
  assert.ok(sweeps([], false) > 20);
  assert.deepEqual([sweeps([], true), sweeps(['native'], true)], [0, 0]);
  assert.deepEqual([sweeps(['native/sweeps'], true), sweeps(['native/sweeps/unit'], true)], [sweeps([], false), 1]);
});

test('the fast tests are those that start no program', () => {
  const fast = chooseFiles([], { fast: true });
  assert.ok(fast.includes('test/coordinator/contract/gpu-peaks.test.ts'));
  assert.ok(!fast.some((file) => file.startsWith('test/e2e/') || file.startsWith('test/native/gpu')));
  assert.equal(startsProcess('test/e2e/coordinator-killed.test.ts'), true);
});

test('the slowest files stand before the closing counts, which stay last', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-run-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = ['quick', 'slow', 'wrong'].map((name) => join(folder, `${name}.test.mjs`));
  const [quick = '', slow = '', wrong = ''] = files;
  writeFileSync(quick, "import { test } from 'node:test'; test('tests 7', (t) => t.diagnostic('tests 7'));");
  writeFileSync(
    slow,
    "import { test } from 'node:test'; test('s', () => new Promise((done) => setTimeout(done, 1500)));",
  );
  writeFileSync(wrong, "import { test } from 'node:test'; test('w', () => { throw new Error('wrong'); });");
  // A runner within a test file runs nothing: it needs a process that does not know of this one.
  const script = `
    import { run } from 'node:test';
    import { spec } from 'node:test/reporters';
    import { SlowestFiles } from ${JSON.stringify(join(import.meta.dirname, 'slowest-files.ts'))};
    run({ files: ${JSON.stringify(files)}, concurrency: 3 }).pipe(new SlowestFiles()).pipe(new spec()).pipe(process.stdout);`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  writeFileSync(join(folder, 'run.mjs'), script);
  const ran = await execa(process.execPath, [join(folder, 'run.mjs')], { env, extendEnv: false });
  const lines = ran.stdout.split('\n').filter((line) => line.startsWith('ℹ '));
  const from = lines.indexOf('ℹ slowest files:');
  assert.match(lines[from + 1] ?? '', /\d\.\d s  .*slow\.test\.mjs$/);
  assert.deepEqual(
    lines.slice(from + 4, from + 8).map((line) => line.trimEnd()),
    ['ℹ tests 3', 'ℹ suites 0', 'ℹ pass 2', 'ℹ fail 1'],
  );
});
