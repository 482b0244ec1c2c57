import { getPriority, setPriority } from 'node:os';

/** Nice value of nodes and of what they need. A negative one means priority and needs privileges that a lab has anyway. */
export const FAVOURED = -15;

/**
 * Processes that `start` creates run with priority over everything else on this machine from the beginning, and so do their
 * children, which inherit it. For the coordinator, which in production has a machine of its own.
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
