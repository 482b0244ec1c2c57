import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { execa } from 'execa';

/** `make agent` builds it; `make test` does that first. */
const built = join(import.meta.dirname, '..', '..', '..', 'dist', 'gpumark-agent');
const NOBODY = 65534;
// Only root can become another user; a user's own home is as unwritable for the mode below.
const isRoot = process.getuid?.() === 0;
const owner = isRoot ? NOBODY : (process.getuid?.() ?? NOBODY);
const group = isRoot ? NOBODY : (process.getgid?.() ?? NOBODY);

/**
 * An empty directory, an empty PATH and a home that cannot be written: all that the agent may count on. It runs from a
 * copy, since the clone may lie where only root may look.
 */
function bareMachine(t: TestContext) {
  assert.ok(existsSync(built), 'run make agent first');
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-bare-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [empty, home, temporary] = ['empty', 'home', 'tmp'].map((name) => join(folder, name));
  for (const path of [empty, home, temporary]) if (path !== undefined) mkdirSync(path);
  chmodSync(folder, 0o755);
  const agent = join(folder, 'gpumark-agent');
  copyFileSync(built, agent);
  if (temporary !== undefined) chownSync(temporary, owner, group);
  if (home !== undefined) chmodSync(home, 0o555);
  const run = (args: string[]) =>
    execa(agent, args, {
      cwd: empty ?? folder,
      extendEnv: false,
      env: { PATH: '', HOME: home ?? '', TMPDIR: temporary ?? '' },
      uid: owner,
      gid: group,
      reject: false,
    });
  return { run, agent, empty: empty ?? '', home: home ?? '', temporary: temporary ?? '' };
}

test('the agent is one file that prepares itself from an empty directory, an empty PATH and an unwritable home', async (t) => {
  const { run, empty, home, temporary } = bareMachine(t);
  const { exitCode, stdout, stderr } = await run(['--setup']);
  assert.equal(exitCode, 0, stdout + stderr);
  assert.match(stdout, /cpu-0 .*self-test passed/);
  assert.equal(stderr, '');
  assert.deepEqual([readdirSync(empty), readdirSync(home)], [[], []]);
  const [folder] = readdirSync(temporary);
  assert.ok(folder?.startsWith('gpumark-'));
});

test('--version of the packaged agent names a revision and both protocols', async (t) => {
  const { exitCode, stdout } = await bareMachine(t).run(['--version']);
  assert.equal(exitCode, 0);
  const [name, revision, ...protocols] = stdout.split('\n');
  assert.match(name ?? '', /^gpumark-agent \d+\.\d+\.\d+$/);
  assert.match(revision ?? '', gitKnows() ? /^revision [0-9a-f]{7,}\+?$/ : /^revision ([0-9a-f]{7,}\+?|unknown)$/);
  assert.match(protocols.join('\n'), /^native protocol gpumark\.native\/1\nagent protocol \d+$/);
});

test('options set for other Node programs on the machine do not affect the agent', async (t) => {
  const { agent, empty } = bareMachine(t);
  const { exitCode } = await execa(agent, ['--version'], {
    cwd: empty,
    env: { NODE_OPTIONS: '--require=/does/not/exist.js' },
    reject: false,
  });
  assert.equal(exitCode, 0);
});

/** False without git, outside a clone, and in a clone that git distrusts for its owner. */
function gitKnows(): boolean {
  try {
    execFileSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('SHA256SUMS is correct for the agent and its bill of materials, which includes Node', () => {
  const folder = join(built, '..');
  const said = execFileSync('sha256sum', ['--strict', '-c', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
  assert.equal(said, 'gpumark-agent: OK\ngpumark-agent.cdx.json: OK\n');
  const text = readFileSync(join(folder, 'gpumark-agent.cdx.json'), 'utf8');
  const bill = JSON.parse(text) as { bomFormat: string; components: { name: string; hashes?: unknown[] }[] };
  assert.equal(bill.bomFormat, 'CycloneDX');
  for (const name of [`node-linux-${process.arch}`, 'undici', 'zod'])
    assert.ok(
      bill.components.some((component) => component.name === name && component.hashes?.length === 1),
      name,
    );
  assert.doesNotMatch(text, /serialNumber|timestamp/);
});
