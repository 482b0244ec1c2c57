import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkReport, NetworkSlot } from '../../../coordinator/contract/network-protocol.ts';
import type { PlanTools } from '../../../agent/links/plan-tools.ts';
import { performSlots } from '../../../agent/links/perform-slots.ts';

const STARTS_AT_MS = 1_000_000;

const slot = (transport: NetworkSlot['transport']): NetworkSlot => ({
  id: `0.1 ${transport}`,
  node: 1,
  role: 'listen',
  is_source: true,
  key: '7c'.repeat(32),
  local_address: '10.0.0.1',
  peer_address: null,
  peer_port: null,
  starts_at_ms: STARTS_AT_MS,
  slot_ms: 3000,
  transport,
  streams: 1,
  ping_pause_ms: 0,
  nominal_gbps: null,
  check_only: false,
});

/** What is reported, and how many slots the runner was given, if the plan comes this long after its start. */
async function performedLate(
  ms: number,
  phase: Parameters<typeof performSlots>[2] = 'rounds',
): Promise<{ codes: (string | null)[]; given: number }> {
  const reports: NetworkReport[] = [];
  const over = new AbortController();
  let given = 0;
  const give = (): Promise<never> => {
    given += 1;
    over.abort();
    return new Promise(() => undefined);
  };
  const tools = {
    clock: {
      now_ms: () => STARTS_AT_MS + ms,
      toMonotonic: (time: number) => time,
      sleepUntil: () => Promise.resolve(),
    },
    commands: { measure: give, openChannel: give, cancel: () => undefined },
    measureRdma: () => Promise.reject(new Error('not reached')),
    over: over.signal,
    report: (one: NetworkReport) => void reports.push(one),
  } as unknown as PlanTools;
  await performSlots(tools, [slot('tcp'), slot('rdma_host')], phase);
  return { codes: reports.map((report) => ('code' in report ? report.code : null)), given };
}

test('a slot that comes too late to be connected by its first stage is reported and not begun in the middle', async () => {
  assert.deepEqual(await performedLate(-1500), { codes: [], given: 2 });
  assert.deepEqual(await performedLate(200), { codes: [], given: 2 }, 'what clocks may differ by');
  assert.deepEqual(await performedLate(300), { codes: ['PLAN_LATE', 'PLAN_LATE'], given: 0 });
  // Nobody plans these again: the runner tries what it can until they are over.
  assert.deepEqual(await performedLate(300, 'ring'), { codes: [], given: 2 });
  assert.deepEqual(await performedLate(300, 'retests'), { codes: [], given: 2 });
  assert.deepEqual(await performedLate(3000, 'retests'), { codes: ['PLAN_LATE', 'PLAN_LATE'], given: 0 });
  assert.deepEqual(await performedLate(60_000), { codes: ['PLAN_LATE', 'PLAN_LATE'], given: 0 });
});
