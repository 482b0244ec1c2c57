import type { Scope } from '../agent/support/agent-tree.ts';

/** Runs an attack that leaves things behind; what it registers with `after` is undone when it ends, last first. */
export async function cleanly<T>(run: (scope: Scope) => Promise<T>): Promise<T> {
  const undone: (() => void)[] = [];
  try {
    return await run({ after: (undo) => void undone.unshift(undo) });
  } finally {
    for (const undo of undone) undo();
  }
}
