import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { beginProof, hashOf, isProven, readRecords } from './proof.ts';

delete process.env['FULL'];
const today = new Date('2026-03-01T12:00:00Z');

function treeOf(t: TestContext): { tree: string; write: (path: string, text: string) => void } {
  const tree = mkdtempSync(join(tmpdir(), 'gpumark-proof-'));
  t.after(() => rmSync(tree, { recursive: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(join(tree, path, '..'), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  write('native/src/a.cpp', 'int a;');
  write('test/native/a.test.ts', '');
  write('test/support/simulated-driver/driver.cpp', 'int d;');
  write('test/proven.json', '{}');
  return { tree, write };
}

test('what a full run proved stays proven until a byte, a name or the number of files is another', (t) => {
  const { tree, write } = treeOf(t);
  assert.equal(isProven('native', tree), false);
  beginProof('native', tree).record(today);
  assert.equal(isProven('native', tree), true);
  assert.equal(readRecords(tree).native?.proven_on, '2026-03-01');
  const changes: [string, () => void, () => void][] = [
    ['a byte', () => write('native/src/a.cpp', 'int b;'), () => write('native/src/a.cpp', 'int a;')],
    ['a file more', () => write('native/src/b.cpp', ''), () => rmSync(join(tree, 'native/src/b.cpp'))],
    [
      'the driver',
      () => write('test/support/simulated-driver/driver.cpp', ''),
      () => write('test/support/simulated-driver/driver.cpp', 'int d;'),
    ],
    ['a test', () => write('test/native/a.test.ts', '//'), () => write('test/native/a.test.ts', '')],
    [
      'a name',
      () => renameSync(join(tree, 'native/src/a.cpp'), join(tree, 'native/src/c.cpp')),
      () => renameSync(join(tree, 'native/src/c.cpp'), join(tree, 'native/src/a.cpp')),
    ],
  ];
  for (const [what, change, back] of changes) {
    change();
    assert.equal(isProven('native', tree), false, what);
    back();
    assert.equal(isProven('native', tree), true, `${what}, and back`);
  }
});

test('what is built, measured or written for people changes nothing', (t) => {
  const { tree, write } = treeOf(t);
  const before = hashOf('native', tree);
  for (const path of [
    'native/build/obj/a.o',
    'native/results/h200.json',
    'native/README.md',
    'native/src/link/README.md',
  ])
    write(path, 'x');
  assert.equal(hashOf('native', tree), before);
});

test('a file that was changed during the run is not proven by it', (t) => {
  const { tree, write } = treeOf(t);
  const run = beginProof('native', tree);
  write('native/src/a.cpp', 'int changed;');
  run.record(today);
  assert.equal(isProven('native', tree), false);
  assert.deepEqual(readRecords(tree), {});
});

test('FULL in the environment asks for everything', (t) => {
  const { tree } = treeOf(t);
  beginProof('native', tree).record(today);
  process.env['FULL'] = '1';
  t.after(() => delete process.env['FULL']);
  assert.equal(isProven('native', tree), false);
});

test('the record of this tree is one', () => {
  for (const record of Object.values(readRecords()))
    assert.ok(record.proven_on <= new Date().toISOString().slice(0, 10));
});
