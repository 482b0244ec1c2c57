import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { fakeTools, isAlive } from './fake-tools.ts';
import type { FakeConfig, FakeTools } from './fake-tools.ts';
import { setupOf } from './two-ends.ts';

/** Two nodes with the same rails; forward is the dialer's figure, reverse the listener's. */
export function nodes(
  t: TestContext,
  dialer: FakeConfig['devices'],
  listener: FakeConfig['devices'],
  more: Partial<FakeConfig> = {},
) {
  const a = fakeTools(t, { ...more, devices: dialer });
  const b = fakeTools(t, { ...more, devices: listener });
  return { a, b, dialer: setupOf(a.tools, Object.keys(dialer)), listener: setupOf(b.tools, Object.keys(listener)) };
}

export const good = { gbps: 392, latency_us: 2 };

export function assertNothingRuns(...ends: FakeTools[]): void {
  const pids = new Set(ends.flatMap((end) => end.journal().map(({ pid }) => pid)));
  assert.ok(pids.size > 0);
  assert.deepEqual([...pids].filter(isAlive), []);
}
