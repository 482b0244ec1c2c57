import { getPriority, setPriority } from 'node:os';

/** Of nodes and of what they need; negative comes first, and needs the rights that a lab needs anyway. */
export const FAVOURED = -15;

/**
 * Processes that `start` starts come before everything else on this machine from their birth, as do their own: children
 * inherit the priority. For a coordinator, which has a machine of its own where nodes have theirs.
 */
export async function favoured<T>(start: () => Promise<T>): Promise<T> {
  const before = getPriority();
  setPriority(FAVOURED);
  try {
    return await start();
  } finally {
    setPriority(before);
  }
}
