import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoordinatorClock } from '../../../agent/links/link-clock.ts';
import { NetworkClient } from '../../../agent/links/network-client.ts';
import { refreshClock } from '../../../agent/links/refresh-clock.ts';
import { CoordinatorClient } from '../../../agent/client/coordinator-client.ts';
import { HttpConnection } from '../../../agent/client/http-connection.ts';
import { noProxies } from '../../../agent/client/proxies.ts';
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
    proxies: noProxies,
    clock: host,
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
  // By the node's clock all of the 200 ms are over once the first request is. The clock is read once before each request;
  // whether a request arrives before it is given up is the machine's affair.
  let reads = 0;
  await refreshClock(client, new CoordinatorClock(host), {
    enoughMs: 2,
    monotonicMs: () => (reads++ === 0 ? 0 : 200),
    deadlineMs: 200,
  });
  assert.equal(reads, 2);
  // A question alone may last for 2 s, longer than the 1.5 s until the first start of a plan: it ends with what was left.
  assert.equal(sessionLimits.network_sync_ms, 2_000);
  await assert.rejects(client.sync(150), /no answer within 150 ms/);
});
