import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoordinatorClock } from '../../../agent/links/link-clock.ts';
import { NetworkClient } from '../../../agent/links/network-client.ts';
import { refreshClock } from '../../../agent/links/refresh-clock.ts';
import { CoordinatorClient } from '../../../agent/client/coordinator-client.ts';
import { HttpConnection } from '../../../agent/client/http-connection.ts';
import { sessionLimits } from '../../../agent/run/session-limits.ts';
import { fakeCoordinator, TASK_ID } from '../support/fake-coordinator.ts';
import { testHost } from '../support/test-host.ts';

test('a coordinator that does not answer time requests delays a plan until the deadline, not once per request', async (t) => {
  await using coordinator = await fakeCoordinator();
  coordinator.answer = () => 'silence';
  const { clock: host, random } = testHost(t);
  const tools = { clock: host, random };
  const connection = new HttpConnection({
    base_url: coordinator.url,
    token: 't',
    ca: null,
    trace_id: '0',
    user_agent: 'x',
    random,
  });
  const client = new NetworkClient(
    new CoordinatorClient(connection, sessionLimits, tools),
    { task_id: TASK_ID, epoch: 1, item: 0 },
    sessionLimits,
    tools,
  );
  const clock = new CoordinatorClock(host);
  const before = host.monotonic();
  await refreshClock(client, clock, {
    enoughMs: 2,
    monotonicMs: () => host.monotonic(),
    deadlineMs: before + 200,
  });
  const spent = host.monotonic() - before;
  // One question alone may otherwise last for 2 s, longer than the 1.5 s until the first start of a plan.
  assert.ok(sessionLimits.network_sync_ms === 2_000 && spent >= 150 && spent < 1_500, `${spent} ms`);
});
