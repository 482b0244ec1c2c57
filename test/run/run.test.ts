import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { test, type TestContext } from 'node:test';
import { execa } from 'execa';
import { root } from '../support/source-files.ts';
import { chooseFiles } from './choose-files.ts';
import { groupOf } from './heavy/heavy-groups.ts';

import { shareProcesses } from './share-processes.ts';
import { Silence } from './silence.ts';
import { startsProcess } from './starts-process.ts';

test('an area is a folder or a file of the source tree or of test/, and several are their sum', () => {
  const links = chooseFiles(['agent/links'], 'light');
  assert.ok(links.length > 5 && links.every((file) => file.startsWith('test/agent/links/')));
  assert.deepEqual(chooseFiles(['./test/agent/links/'], 'light'), links);
  assert.deepEqual(chooseFiles(['architecture', 'test/lock-file.test.ts'], 'light'), [
    'test/architecture.test.ts',
    'test/lock-file.test.ts',
  ]);
  assert.ok(chooseFiles([], 'light').length > 200);
});

test('an area without tests is an error that names it, not a green run of nothing', () => {
  assert.throws(
    () => chooseFiles(['agent/links', 'coordinator/job'], 'light'),
    /ONLY: "coordinator\/job" has no tests/,
  );
});

test('heavy files are not among the light ones, and an area that has only the others says how to run them', () => {
  const light = chooseFiles([], 'light');
  const heavy = chooseFiles([], 'heavy');
  assert.ok(heavy.length > 50);
  assert.deepEqual([...light, ...heavy].toSorted(), chooseFiles([], 'all').toSorted());
  assert.ok(heavy.every((file) => groupOf(file) !== null) && light.every((file) => groupOf(file) === null));
  assert.deepEqual(chooseFiles(['containers/slurm'], 'heavy'), ['test/containers/slurm.test.ts']);
  assert.throws(
    () => chooseFiles(['containers/slurm'], 'light'),
    /"containers\/slurm" has heavy tests only: make test-heavy/,
  );
  assert.throws(() => chooseFiles(['agent/cli'], 'heavy'), /"agent\/cli" has no heavy tests: make test ONLY/);
});

test('the fast tests are those that start no program', () => {
  const fast = chooseFiles([], 'fast');
  assert.ok(fast.includes('test/coordinator/figures/gpu-peaks.test.ts'));
  assert.ok(!fast.some((file) => file.startsWith('test/e2e/') || file.startsWith('test/native/gpu')));
  assert.equal(startsProcess('test/e2e/coordinator-killed.test.ts'), true);
});

/** Runs a script in a process that does not know of this one: a runner within a test file runs nothing. */
async function runScript(folder: string, lines: string[]): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  writeFileSync(join(folder, 'run.mjs'), lines.join('\n'));
  return (await execa(process.execPath, [join(folder, 'run.mjs')], { env, extendEnv: false })).stdout;
}

function filesIn(t: TestContext, sources: Record<string, string>): { folder: string; files: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-run-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = Object.entries(sources).map(([name, source]) => {
    writeFileSync(join(folder, name), `import { after, test } from 'node:test';\n${source}`);
    return join(folder, name);
  });
  return { folder, files };
}

test('the slowest files stand before the closing counts, which stay last', async (t) => {
  const { folder, files } = filesIn(t, {
    'quick.test.mjs': "test('tests 7', (t) => t.diagnostic('tests 7'));",
    'slow.test.mjs': "test('s', () => new Promise((done) => setTimeout(done, 1500)));",
    'wrong.test.mjs': "test('w', () => { throw new Error('wrong'); });",
  });
  const stdout = await runScript(folder, [
    "import { run } from 'node:test';",
    "import { spec } from 'node:test/reporters';",
    `import { SlowestFiles } from ${JSON.stringify(join(import.meta.dirname, 'slowest-files.ts'))};`,
    `run({ files: ${JSON.stringify(files)}, concurrency: 3 }).pipe(new SlowestFiles()).pipe(new spec()).pipe(process.stdout);`,
  ]);
  const lines = stdout.split('\n').filter((line) => line.startsWith('ℹ '));
  const from = lines.indexOf('ℹ slowest files:');
  assert.match(lines[from + 1] ?? '', /\d\.\d s  .*slow\.test\.mjs$/);
  assert.deepEqual(
    lines.slice(from + 4, from + 8).map((line) => line.trimEnd()),
    ['ℹ tests 3', 'ℹ suites 0', 'ℹ pass 2', 'ℹ fail 1'],
  );
});

test('a run of which nothing is heard for too long is said to be silent, once; one that ends or goes on is not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const heard = { silent: 0, ended: 0 };
  const silent = new Silence(1000, () => (heard.silent += 1));
  const ended = new Silence(1000, () => (heard.ended += 1));
  const passedOn: unknown[] = [];
  silent.on('data', (event) => passedOn.push(event));
  t.mock.timers.tick(999);
  silent.write({ type: 'test:pass' });
  ended.resume().end();
  await finished(ended);
  t.mock.timers.tick(999);
  assert.deepEqual({ ...heard, passedOn }, { silent: 0, ended: 0, passedOn: [{ type: 'test:pass' }] });
  t.mock.timers.tick(5000);
  assert.deepEqual(heard, { silent: 1, ended: 0 });
});

test('files of one process: what one opens stays open until its own tests are over, and one that does not load fails', async (t) => {
  const opens = `
    const opened = { open: true };
    await new Promise((done) => setTimeout(done, 100));
    after(() => { opened.open = false; });
    for (const name of ['first', 'second'])
      test(name, async () => {
        await new Promise((done) => setTimeout(done, 20));
        if (!opened.open) throw new Error('closed too early');
      });`;
  const { folder, files } = filesIn(t, { 'a.mjs': opens, 'b.mjs': "throw new Error('not loaded');", 'c.mjs': opens });
  const groups = shareProcesses(
    files.map((file) => relative(root, file)),
    1,
  );
  t.after(groups.remove);
  assert.equal(groups.entries.length, 1);
  const stdout = await runScript(folder, [
    "import { run } from 'node:test';",
    `const events = run({ files: ${JSON.stringify(groups.entries)} });`,
    "events.on('test:summary', ({ file, success, counts }) => {",
    '  if (file === undefined) console.log(JSON.stringify({ success, passed: counts.passed }));',
    '});',
    "events.on('test:fail', ({ name }) => console.log(`failed: ${name}`));",
    'events.resume();',
  ]);
  assert.match(stdout, /"success":false,"passed":4/);
  assert.match(stdout, /^failed: \S+b\.mjs$/m);
});

test('a file that changes its process or waits for programs has a process of its own', (t) => {
  const alone = ['test/e2e/coordinator-killed.test.ts', 'test/e2e/crowd/runs.test.ts', 'test/run/run.test.ts'];
  const together = ['test/coordinator/lifecycle/states.test.ts', 'test/coordinator/jobs/list-jobs.test.ts'];
  const groups = shareProcesses([...together, ...alone], 1);
  t.after(groups.remove);
  assert.deepEqual(
    groups.entries.slice(0, -1),
    alone.map((file) => join(root, file)),
  );
  assert.match(groups.entries.at(-1) ?? '', /group-1\.mjs$/);
});
