import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentTree } from './agent-tree.ts';
import type { AgentTree, Scope } from './agent-tree.ts';

/** Programs that the inventory asks, in PATH before the machine's own. */
const TOOLS = ['lscpu', 'dmidecode', 'nvidia-smi', 'amd-smi', 'rocm-smi', 'git'];

/** The agent as a process whose runner and tools write down what they are given, and what they see of the agent. */
export interface WatchedAgent {
  tree: AgentTree;
  /** PATH with the tools. */
  path: string;
  /** What each child saw: its environment, its command line, the command line of its parent; by program and process. */
  seen: () => Record<string, string>;
}

export function watchedAgent(t: Scope): WatchedAgent {
  const tree = agentTree(t, { cards: 'two' });
  const [bin, dumps] = ['bin', 'dumps'].map((name) => join(tree.folder, name)) as [string, string];
  mkdirSync(bin);
  mkdirSync(dumps);
  const write = (path: string, name: string, then: string): void => {
    const into = `'${dumps}/${name}'.$$`;
    const dump = `{ cat /proc/$$/environ /proc/$$/cmdline /proc/$PPID/cmdline | tr '\\0' '\\n'; } >${into} 2>/dev/null`;
    writeFileSync(path, `#!/bin/sh\n${dump}\n${then}\n`);
    chmodSync(path, 0o755);
  };
  for (const tool of TOOLS) write(join(bin, tool), tool, 'exit 1');
  const runner = join(tree.folder, 'native', 'build', 'gpumark-runner');
  const real = join(bin, 'real-runner');
  renameSync(runner, real);
  write(runner, 'gpumark-runner', `exec '${real}' "$@"`);
  return {
    tree,
    path: `${bin}:${process.env['PATH'] ?? ''}`,
    seen: () => Object.fromEntries(readdirSync(dumps).map((name) => [name, readFileSync(join(dumps, name), 'utf8')])),
  };
}

/** The programs that saw one of the words. */
export const whoSaw = (seen: Record<string, string>, word: string): string[] =>
  Object.entries(seen).flatMap(([name, text]) => (text.includes(word) ? [name] : []));
