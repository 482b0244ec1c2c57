import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { NetworkPlan, NetworkReport } from '../../../coordinator/contract/network-protocol.ts';
import { CoordinatorClock } from '../../../agent/links/link-clock.ts';
import { LinkCommands } from '../../../agent/links/link-commands.ts';
import { performPreflight } from '../../../agent/links/perform-preflight.ts';
import type { PlanTools } from '../../../agent/links/plan-tools.ts';
import { built } from '../../native/built-runner.ts';
import { testHost } from '../support/test-host.ts';

/** One node with the real runner; its idea of the coordinator's clock is `aheadMs` ahead of the truth. */
async function startNode(t: TestContext, aheadMs: number): Promise<{ tools: PlanTools; reports: NetworkReport[] }> {
  const { clock: host } = testHost(t);
  const clock = new CoordinatorClock(host);
  const now = host.monotonic();
  clock.note({ sent_ms: now, received_ms: now, coordinator_ms: now + 3_600_000 + aheadMs });
  const commands = new LinkCommands(
    { path: await built('gpumark-runner'), allow_public: false, on_start: () => undefined },
    clock,
    (words) => t.diagnostic(words),
  );
  t.after(() => commands.close());
  assert.ok((await commands.ready()) !== null);
  const reports: NetworkReport[] = [];
  const over = new AbortController().signal;
  const report = (one: NetworkReport): void => void reports.push(one);
  return { tools: { commands, clock, over, report, collective: null, measureRdma: null }, reports };
}

test('a dial that arrives 200 ms early by the listener’s clock is still answered', async (t) => {
  const dialer = await startNode(t, 200);
  const listener = await startNode(t, 0);
  const listening = await listener.tools.commands.listen('127.0.0.1', '0');
  assert.ok('port' in listening);
  const start = listener.tools.clock.now_ms() + 600;
  const key = '7c'.repeat(32);
  const common = { kind: 'preflight', starts_at_ms: start, ends_at_ms: start + 3_000, at_once: 16 } as const;
  const plan = (rest: Pick<Extract<NetworkPlan, { kind: 'preflight' }>, 'dials' | 'accepts'>) => ({
    ...common,
    timeout_ms: 1_000,
    ...rest,
  });
  const addresses = [{ address: '127.0.0.1', port: listening.port }];
  await Promise.all([
    performPreflight(dialer.tools, plan({ dials: [{ id: 'p.0.1', node: 1, key, addresses }], accepts: [] })),
    performPreflight(listener.tools, plan({ dials: [], accepts: [{ id: 'p.0.1', node: 0, key }] })),
  ]);
  const [dial] = dialer.reports;
  assert.ok(dial?.kind === 'dial');
  assert.deepEqual([dial.status, dial.stage, dial.code, dial.address], ['ok', null, null, '127.0.0.1']);
});
