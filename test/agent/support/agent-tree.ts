import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { fakeRunner } from './fake-runner.ts';
import type { RunnerScript } from './fake-runner.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Whatever ends: a test, or an attack. */
export interface Scope {
  after(undo: () => void): void;
}

/** The real main.ts in a source tree whose runner is a fake: the whole program as a process of its own. */
export interface AgentTree {
  folder: string;
  /** Starts it in the folder; rejects never, the exit code is in the result. `redirect` is the shell's, such as `>/dev/full`. */
  spawn: (args: string[], env?: Record<string, string>, redirect?: string) => ReturnType<typeof spawnAgent>;
}

export function agentTree(t: Scope, script: RunnerScript = {}): AgentTree {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-tree-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['agent', 'coordinator', 'node_modules', 'package.json'])
    symlinkSync(join(root, name), join(folder, name));
  fakeRunner(folder, script);
  return { folder, spawn: (args, env = {}, redirect = '') => spawnAgent(folder, args, env, redirect) };
}

function spawnAgent(folder: string, args: string[], env: Record<string, string>, redirect: string) {
  const main = join(folder, 'agent', 'main.ts');
  // Its symbolic link is kept, so that main.ts believes it lies in this tree; what it imports has its one compiled form.
  const command = [process.execPath, '--preserve-symlinks-main', main, ...args];
  // `exec`: the shell becomes the agent, so that signals reach it.
  return execa('/bin/sh', ['-c', `exec "$0" "$@" ${redirect}`, ...command], {
    reject: false,
    cwd: folder,
    stdin: 'ignore',
    extendEnv: false,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      GPUMARK_STATE_DIR: join(folder, 'state'),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      ...env,
    },
    forceKillAfterDelay: false,
  });
}
