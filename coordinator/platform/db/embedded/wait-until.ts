import { setTimeout as wait } from 'node:timers/promises';

const PAUSE_MS = 20;

/** Polls every 20 ms until the condition holds; returns false if it does not within `seconds`. */
export async function waitUntil(condition: () => Promise<boolean>, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await wait(PAUSE_MS);
  }
  return true;
}
