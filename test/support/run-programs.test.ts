import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { execa } from 'execa';

const runner = join(import.meta.dirname, 'run-programs.ts');
const says = (line: string, code: number): string =>
  `console.log('a table');console.log('${line}');process.exitCode=${code};`;

/** A suite of two programs, `good` (fast) and `bad`, in a folder of its own. */
async function suite(t: TestContext, listed: readonly object[]) {
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-suite-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'good.ts'), says('{"links":3}', 0));
  await writeFile(join(folder, 'bad.ts'), says('{"links":2}', 8));
  const given = JSON.stringify({ suite: 'trial', folder, programs: listed });
  await writeFile(
    join(folder, 'main.ts'),
    `import { runPrograms } from ${JSON.stringify(runner)};process.exitCode = await runPrograms(${given}, process.argv.slice(2));`,
  );
  return (...words: string[]) =>
    execa(process.execPath, [join(folder, 'main.ts'), ...words], { reject: false, env: { NO_COLOR: '1' } });
}

const good = { name: 'good', promise: 'three links', fast: true };
const bad = { name: 'bad', promise: 'two links' };

test('programs end with one table of promises, then one JSON line, and with 8 if one fails', async (t) => {
  const run = await (await suite(t, [good, bad]))();
  assert.equal(run.exitCode, 8);
  const [last = '', ...table] = run.stdout.split('\n').toReversed();
  assert.match(table[2] ?? '', /^good +three links +passed +\d+\.\d$/);
  assert.match(table[1] ?? '', /^bad +two links +FAILED +\d+\.\d$/);
  assert.match(table[0] ?? '', /^2 in all +1 failed/);
  const { schema, passed, runs } = JSON.parse(last) as { schema: string; passed: boolean; runs: { result: unknown }[] };
  assert.deepEqual([schema, passed], ['gpumark.trial/1', false]);
  assert.deepEqual(
    runs.map(({ result }) => result),
    [{ links: 3 }, { links: 2 }],
  );
});

test('--fast runs the fast ones, a name runs that one; 0 if all passed', async (t) => {
  const start = await suite(t, [good, bad]);
  for (const words of [['--fast'], ['good'], ['--fast', 'good']]) {
    const run = await start(...words);
    assert.equal(run.exitCode, 0);
    assert.equal(run.stderr, 'trial: good');
  }
});

test('a program without a promise, a promise without a program and an unknown name run nothing and are named', async (t) => {
  assert.match((await (await suite(t, [good]))()).stderr, /trial: listed or in .*, not both: bad/);
  assert.match((await (await suite(t, [good, bad, { ...bad, name: 'gone' }]))()).stderr, /not both: gone/);
  for (const folder of ['soak', 'fuzz']) {
    const main = join(import.meta.dirname, '..', folder, 'main.ts');
    const run = await execa(process.execPath, [main, 'nobody'], { reject: false });
    assert.match(run.stderr, /no nobody; there is/);
  }
});
