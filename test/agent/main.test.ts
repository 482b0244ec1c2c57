import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { agentTree } from './support/agent-tree.ts';
import { fakeCoordinator } from './support/fake-coordinator.ts';
import { jobToken } from './support/test-host.ts';

const spooled = (folder: string): string[] =>
  readdirSync(join(folder, 'state', 'spool')).filter((name) => name.endsWith('.json'));

/** Processes whose command line holds the text. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

test('-api-key TOKEN runs the job and the token does not stay in the process list', async (t) => {
  await using coordinator = await fakeCoordinator();
  const tree = agentTree(t, { run: 'wait' });
  const token = jobToken(coordinator.url);
  const run = tree.spawn(['-api-key', token, '--json']);
  await coordinator.until('heartbeat', 2);
  assert.deepEqual(processesWith(token), []);
  run.kill('SIGINT');
  const { exitCode, stdout, stderr } = await run;
  assert.equal(exitCode, 130, stderr);
  assert.ok(!(stdout + stderr).includes(token));
});

test('SIGTERM ends with 143 after the result is delivered and the abort reported', async (t) => {
  await using coordinator = await fakeCoordinator();
  const tree = agentTree(t, { run: 'wait' });
  const run = tree.spawn([jobToken(coordinator.url)]);
  await coordinator.until('heartbeat', 2);
  const runner = join(tree.folder, 'native/build/gpumark-runner');
  await until('the runner runs', () => processesWith(runner).length > 0);
  run.kill('SIGTERM');
  assert.equal((await run).exitCode, 143);
  assert.equal(coordinator.named('fail')[0]?.body['state'], 'aborted');
});

test('a second signal exits at once and leaves no runner behind', async (t) => {
  await using coordinator = await fakeCoordinator();
  const tree = agentTree(t, { run: 'stubborn' });
  const run = tree.spawn([jobToken(coordinator.url)]);
  const runner = join(tree.folder, 'native/build/gpumark-runner');
  await coordinator.until('heartbeat', 2);
  await until('the runner runs', () => processesWith(runner).length > 0);
  run.kill('SIGINT');
  const heard = Promise.withResolvers<void>();
  run.stderr.on('data', (text: Buffer) =>
    text.includes('a second signal exits at once') ? heard.resolve() : undefined,
  );
  await heard.promise;
  run.kill('SIGINT');
  assert.equal((await run).exitCode, 130);
  await until('the runner is gone', () => processesWith(runner).length === 0);
});

test('kill -9 between saving and delivering loses nothing: upload delivers, counted once', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = (name) => (name === 'results' ? 'silence' : undefined);
  const tree = agentTree(t);
  const run = tree.spawn([], { GPUMARK_API_KEY: jobToken(coordinator.url) });
  await coordinator.until('results');
  run.kill('SIGKILL');
  assert.equal((await run).signal, 'SIGKILL');
  assert.equal(spooled(tree.folder).length, 1);
  coordinator.answer = () => undefined;
  const [first, second] = [await tree.spawn(['upload']), await tree.spawn(['upload'])];
  assert.equal(first.exitCode, 0, first.stderr);
  assert.match(first.stdout, /^1 delivered/);
  assert.match(second.stdout, /^Nothing waits/);
  assert.equal(coordinator.results.size, 1);
  assert.equal(coordinator.named('complete').length, 1);
});

test('a mistyped option is a usage error: exit 2, and a token in it is not printed', async (t) => {
  const token = jobToken('http://127.0.0.1:9');
  const { exitCode, stdout, stderr } = await agentTree(t).spawn([`--api-kee=${token}`]);
  assert.equal(exitCode, 2);
  assert.ok(!(stdout + stderr).includes(token));
  assert.match(stderr, /unknown option/);
});

test('a word that is not a token is not used as one', async (t) => {
  const { exitCode, stderr } = await agentTree(t).spawn(['uplaod']);
  assert.equal(exitCode, 2);
  assert.match(stderr, /'uplaod'/);
});

test('a text that is not a job token is refused with 4 if nothing else names the coordinator', async (t) => {
  const { exitCode, stderr } = await agentTree(t).spawn(['-api-key', 'hunter2hunter2']);
  assert.equal(exitCode, 4);
  assert.ok(!stderr.includes('hunter2'));
});

test('an unreadable key file is a usage error that names it', async (t) => {
  const { exitCode, stderr } = await agentTree(t).spawn(['--api-key-file', '/does/not/exist']);
  assert.equal(exitCode, 2);
  assert.match(stderr, /\/does\/not\/exist/);
});

test('a missing runner ends with 6 and says how to build it', async (t) => {
  const tree = agentTree(t);
  rmSync(join(tree.folder, 'native'), { recursive: true });
  const { exitCode, stderr } = await tree.spawn([]);
  assert.equal(exitCode, 6);
  assert.match(stderr, /make native/);
});

test('--version names version, revision and both protocols', async (t) => {
  const { exitCode, stdout } = await agentTree(t).spawn(['-version']);
  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /^gpumark-agent \d+\.\d+\.\d+\nrevision \S+\nnative protocol gpumark\.native\/1\nagent protocol 1$/,
  );
});

test('--help goes to stdout with the exit codes', async (t) => {
  const { exitCode, stdout } = await agentTree(t).spawn(['--help']);
  assert.equal(exitCode, 0);
  assert.match(stdout, /7 coordinator unreachable/);
});

test('--list shows every backend and why one cannot be used', async (t) => {
  const { exitCode, stdout } = await agentTree(t, { cards: 'no-driver' }).spawn(['--list']);
  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /^cuda +nvidia +no-driver: no-driver of the test\ncpu-0 +cpu +Test Processor\n\nquick_mark, on each device:\n +memory +memory bandwidth\n/,
  );
});

test('results go to stdout and everything else to stderr', async (t) => {
  const { stdout, stderr } = await agentTree(t).spawn([]);
  assert.match(stdout, /NOT SAVED/);
  assert.ok(!stdout.includes('taking the inventory'));
  assert.match(stderr, /taking the inventory/);
});
