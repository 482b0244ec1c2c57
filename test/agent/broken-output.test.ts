import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentTree } from './support/agent-tree.ts';
import { fakeCoordinator } from './support/fake-coordinator.ts';
import { jobToken } from './support/test-host.ts';

/** Every write fails with ENOSPC, as on a full log disk. */
const FULL_DISK = '>/dev/full 2>&1';

test('a run whose output goes to a full disk is delivered and ends with its own code', async (t) => {
  await using coordinator = await fakeCoordinator();
  const run = agentTree(t).spawn([jobToken(coordinator.url)], {}, FULL_DISK);
  assert.equal((await run).exitCode, 0);
  assert.equal(coordinator.results.size, 1);
  assert.equal(coordinator.named('complete').length, 1);
});

for (const args of [[], ['--json'], ['--output', 'classic']]) {
  test(`a run whose reader has gone continues to its end (${args.join(' ') || 'for people'})`, async (t) => {
    await using coordinator = await fakeCoordinator();
    const run = agentTree(t).spawn([jobToken(coordinator.url), ...args]);
    run.stdout.destroy();
    run.stderr.destroy();
    assert.equal((await run).exitCode, 0);
    assert.equal(coordinator.named('complete').length, 1);
  });
}

test('an offline run whose reader has gone keeps its result', async (t) => {
  await using coordinator = await fakeCoordinator();
  const tree = agentTree(t);
  const run = tree.spawn([jobToken(coordinator.url), '--offline']);
  run.stdout.destroy();
  run.stderr.destroy();
  assert.equal((await run).exitCode, 0);
  assert.equal(readdirSync(join(tree.folder, 'state', 'spool')).filter((name) => name.endsWith('.json')).length, 1);
});

test('a failed quick test keeps its code when nobody reads it', async (t) => {
  const run = agentTree(t, { run: 'crash' }).spawn([], {}, FULL_DISK);
  assert.equal((await run).exitCode, 6);
});

test('a command that only prints ends quietly if its reader has gone', async (t) => {
  const run = agentTree(t).spawn(['--list']);
  run.stdout.destroy();
  const { exitCode, stderr } = await run;
  assert.deepEqual([exitCode, stderr], [0, '']);
});

test('a command that only prints does not report success on a full disk', async (t) => {
  const { exitCode, stderr } = await agentTree(t).spawn(['--version'], {}, '>/dev/full');
  assert.equal(exitCode, 2);
  assert.match(stderr, /output cannot be written: ENOSPC/);
});

test('a lost terminal stops the run like SIGTERM, however many SIGHUPs come: exit 129, result delivered', async (t) => {
  await using coordinator = await fakeCoordinator();
  const run = agentTree(t, { run: 'wait' }).spawn([jobToken(coordinator.url), '--json']);
  const measuring = Promise.withResolvers<void>();
  run.stdout.on('data', (text: Buffer) => (text.includes('"gemm_fp32"') ? measuring.resolve() : undefined));
  await measuring.promise;
  run.kill('SIGHUP');
  run.kill('SIGHUP');
  assert.equal((await run).exitCode, 129);
  assert.equal(coordinator.results.size, 1);
  assert.equal(coordinator.named('fail')[0]?.body['state'], 'aborted');
});
