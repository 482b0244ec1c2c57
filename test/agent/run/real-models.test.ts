import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { resultsRequest } from '../../../coordinator/contract/agent-protocol.ts';
import type { QuickMarkResults } from '../../../coordinator/contract/quick-mark.ts';
import { judgeResults } from '../../../coordinator/figures/judge-results.ts';
import { plainPaint } from '../../../agent/ui/paint.ts';
import { summaryText } from '../../../agent/ui/summary-text.ts';
import { type Content, folders, healthy, machineTree } from '../health/support/machine-tree.ts';
import { fakeCoordinator } from '../support/fake-coordinator.ts';
import type { FakeGpu } from '../support/fake-gpus.ts';
import { exitCodeOf, hostWithRunner, summaryOf } from '../support/run-harness.ts';
import { jobToken } from '../support/test-host.ts';

/** What a healthy card of an HGX H100 tells. */
const H100 = {
  ecc_mode: 'enabled',
  ecc_mode_pending: 'enabled',
  power_cap_watts: 700,
  power_cap_default_watts: 700,
  nvlink_active: 18,
  nvlink_inactive: [],
  nvlink_speed_mbs: 26_562,
  fabric: { state: 'completed', status: 'success', health: null, summary: null },
};

/** The links of both cards under load. */
const fast = Object.fromEntries(
  [folders.gpu, folders.otherGpu, folders.downstream, folders.downstream.replace('17:00.0', '17:01.0')].map(
    (folder) => [`${folder}/current_link_speed`, '32.0 GT/s PCIe\n'],
  ),
);

/** Rules that judge H100 and its kind by its name, in a run of two such cards of which the second has this fault. */
async function runOf(t: TestContext, fault: object, machine: Record<string, Content> = {}, both: object = {}) {
  await using coordinator = await fakeCoordinator();
  const gpus = [0, 1].map((place): FakeGpu => ({
    id: `GPU-${place}`,
    name: 'NVIDIA H100 80GB HBM3',
    pci_id: `0000:${place === 0 ? '19' : '1a'}:00.0`,
    attributes: { ...H100, ...both, ...(place === 1 ? fault : {}) },
    details: { temperature_centigrade: { throttle: [], xid: [] } },
  }));
  const host = hostWithRunner(t, { gpus });
  host.system_root = machineTree(t, { ...healthy, ...fast, ...machine }).root;
  const code = await exitCodeOf(host, jobToken(coordinator.url));
  const sent = resultsRequest.parse(coordinator.named('results')[0]?.body);
  const results = sent.payload?.benchmark_results.quick_mark ?? assert.fail('nothing was delivered');
  const summary = summaryOf(host);
  // What the agent claims of the health of its machine counts for nothing.
  const test_results = results.test_results.map(({ health: _claim, ...facts }) => facts);
  const judged = judgeResults({ ...results, test_results, node_health: [] });
  return {
    code,
    agent: rulesOf({ test_results: summary.devices, node_health: summary.node_health }),
    coordinator: rulesOf(judged),
    warnings: summary.warnings.join(' '),
    text: summaryText(summary, plainPaint).replaceAll(/\s+/g, ' '),
  };
}

/** Rules of the two cards and of the machine. */
const rulesOf = ({
  test_results,
  node_health = [],
}: {
  test_results: readonly { health?: QuickMarkResults['test_results'][number]['health'] }[];
  node_health?: QuickMarkResults['node_health'];
}): string[][] => [
  ...test_results.map(({ health = [] }) => health.map(({ rule }) => rule)),
  node_health.map(({ rule }) => rule),
];

test('two healthy cards of a real model have no finding, by agent and coordinator', async (t) => {
  const run = await runOf(t, {});
  assert.deepEqual(
    [run.agent, run.coordinator],
    [
      [[], [], []],
      [[], [], []],
    ],
  );
});

test('ECC that is off on a card shipped with it on is a warning of agent and coordinator', async (t) => {
  const run = await runOf(t, { ecc_mode: 'disabled', ecc_mode_pending: 'disabled' });
  assert.deepEqual(run.agent, [[], ['ecc_off'], []]);
  assert.deepEqual(run.coordinator, run.agent);
  assert.match(run.warnings, /GPU 1: ECC is off: .*nvidia-smi -e 1/);
  assert.match(run.text, /! GPU 1: ECC is off.* Do: Reset the GPU/);
});

test('a power cap below the default is a warning of agent and coordinator, with both numbers', async (t) => {
  const run = await runOf(t, { power_cap_watts: 400 });
  assert.deepEqual(run.agent, [[], ['power_cap_lowered'], []]);
  assert.deepEqual(run.coordinator, run.agent);
  assert.match(run.warnings, /GPU 1: the power cap is below its default \(400 of 700 W\)/);
});

test('half of the NVLinks missing is critical to agent and coordinator: the agent ends with 9', async (t) => {
  const run = await runOf(t, { nvlink_active: 9, nvlink_inactive: [9, 10, 11, 12, 13, 14, 15, 16, 17] });
  assert.deepEqual([run.code, run.agent], [9, [[], ['nvlinks_inactive'], []]]);
  assert.deepEqual(run.coordinator, run.agent);
  assert.match(run.warnings, /GPU 1: NVLinks that are not active: 9 of 18, link 9, 10, .*, 17/);
});

test('a fabric manager that is down is a warning of agent and coordinator where no card says that its fabric is ready', async (t) => {
  const dead = { 'proc/4711/comm': 'sleep\n', 'usr/bin/nv-fabricmanager': '' };
  const run = await runOf(t, {}, dead, { fabric: null });
  assert.deepEqual(run.agent, [[], [], ['fabric_manager_down']]);
  assert.deepEqual(run.coordinator, run.agent);
  assert.match(run.warnings, /nvidia-fabricmanager is installed and does not run/);
  // Where the cards say that they are in their fabric, another program serves it.
  assert.deepEqual((await runOf(t, {}, dead)).agent, [[], [], []]);
});
