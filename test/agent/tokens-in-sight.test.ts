import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExitError } from '../../agent/run/exit-error.ts';
import { readTokenFile } from '../../agent/cli/option-file.ts';
import { fakeCoordinator, refused } from './support/fake-coordinator.ts';
import { jobToken, testHost } from './support/test-host.ts';
import { watchedAgent, whoSaw } from './support/watched-agent.ts';

test('no child of a run sees the token, neither in its environment nor in the agent’s command line', async (t) => {
  await using coordinator = await fakeCoordinator();
  const token = jobToken(coordinator.url);
  const { tree, path, seen } = watchedAgent(t);
  const inEnvironment = await tree.spawn(['--json'], { GPUMARK_API_KEY: token, PATH: path });
  const inArguments = await tree.spawn(['-api-key', token], { PATH: path });
  assert.ok(inEnvironment.stdout.includes('"type":"summary"') && coordinator.named('results').length > 0);
  const children = Object.keys(seen()).map((name) => name.replace(/\.\d+$/, ''));
  for (const name of ['gpumark-runner', 'lscpu', 'nvidia-smi'])
    assert.ok(children.includes(name), `${name} has run: ${[...new Set(children)].join(', ')}`);
  assert.ok(whoSaw(seen(), 'GPUMARK_STATE_DIR=').length > 0, 'the rest of the environment is inherited');
  assert.deepEqual(whoSaw(seen(), token), []);
  for (const { stdout, stderr } of [inEnvironment, inArguments]) assert.ok(!(stdout + stderr).includes(token));
});

test('a token echoed in an answer is masked, and only a waiting result keeps it', async (t) => {
  await using coordinator = await fakeCoordinator();
  const token = jobToken(coordinator.url);
  coordinator.answer = (name) => (name === 'register' ? refused(403, `not ${token}`) : undefined);
  const { tree } = watchedAgent(t);
  const { exitCode, stdout, stderr } = await tree.spawn(['--json'], { GPUMARK_API_KEY: token });
  assert.equal(exitCode, 4);
  assert.match(stdout, /\[token\]/);
  assert.ok(!(stdout + stderr).includes(token));
  const kept = readdirSync(join(tree.folder, 'state'), { recursive: true, withFileTypes: true });
  const files = kept.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  assert.deepEqual(
    files.filter((file) => readFileSync(file).includes(token)),
    [],
  );
});

test('a token file that others may read or write is refused with the remedy; secrets of containers and pipes are accepted', (t) => {
  const host = { ...testHost(t) };
  const file = join(host.folder, 'key');
  writeFileSync(file, 'the-token\n');
  for (const mode of [0o644, 0o604, 0o602, 0o620, 0o666]) {
    chmodSync(file, mode);
    assert.throws(
      () => readTokenFile(host, file),
      (error: ExitError) => error.code === 2 && /chmod 600/.test(error.remedy ?? ''),
      mode.toString(8),
    );
  }
  for (const mode of [0o600, 0o400, 0o440, 0o640]) {
    chmodSync(file, mode);
    assert.equal(readTokenFile(host, file), 'the-token');
  }
  const mount = join(host.folder, 'run', 'secrets');
  mkdirSync(mount, { recursive: true });
  writeFileSync(join(mount, 'key'), 'a-secret', { mode: 0o444 });
  assert.equal(readTokenFile({ system_root: host.folder }, join(mount, 'key')), 'a-secret');
  chmodSync(join(mount, 'key'), 0o666);
  assert.throws(() => readTokenFile({ system_root: host.folder }, join(mount, 'key')), ExitError);
});

test('an endless token file is read up to its limit', (t) => {
  assert.throws(() => readTokenFile(testHost(t), '/dev/zero'), /larger than 16384 bytes/);
});
