import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { resultsRequest } from '../../../coordinator/contract/agent-protocol.ts';
import { judgeResults } from '../../../coordinator/figures/judge-results.ts';
import { plainPaint } from '../../../agent/ui/paint.ts';
import { summaryText } from '../../../agent/ui/summary-text.ts';
import { fakeCoordinator } from '../support/fake-coordinator.ts';
import type { RunnerScript } from '../support/fake-runner.ts';
import { exitCodeOf, hostWithRunner, summaryOf } from '../support/run-harness.ts';
import { jobToken } from '../support/test-host.ts';
import { type Content, folders, healthy, machineTree, QUIET_LOG } from './support/machine-tree.ts';

const FALLEN = `${QUIET_LOG}4,900,9000000000,-;NVRM: Xid (PCI:0000:1a:00): 79, pid=1, name=x, GPU has fallen off the bus.\n`;
/** A card that fell off the bus before the run, a slot with fatal errors, and a port without its subnet manager. */
const ill: Record<string, Content> = {
  'dev/kmsg': FALLEN,
  [`${folders.gpu}/aer_dev_fatal`]: 'DLP 2\nTOTAL_ERR_FATAL 2\n',
  [`${folders.ib}/state`]: '2: INIT\n',
};

async function runOf(t: TestContext, script: RunnerScript) {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t, script);
  host.system_root = machineTree(t, { ...healthy, ...ill }).root;
  const code = await exitCodeOf(host, jobToken(coordinator.url));
  const [request] = coordinator.named('results');
  const sent = request === undefined ? null : resultsRequest.parse(request.body);
  const summary = summaryOf(host);
  return {
    code,
    summary,
    sent,
    calls: coordinator.calls.map(({ name }) => name),
    ofCards: summary.devices.flatMap(({ health }) => health.map(({ rule }) => rule)),
    ofMachine: summary.node_health.map(({ rule }) => rule),
    text: summaryText(summary, plainPaint).replaceAll(/\s+/g, ' '),
  };
}

const first = { id: 'GPU-0', pci_id: '0000:19:00.0' };
const second = { id: 'GPU-1', pci_id: '0000:1a:00.0' };
const busy = { together: 'busy' } as const;

/** How it came to that, the exit code, and the rules by card and of the machine. */
const cases: [string, RunnerScript, number, Record<string, string[]>][] = [
  [
    'all cards are busy',
    {
      gpus: [
        { ...first, ...busy },
        { ...second, ...busy },
      ],
    },
    5,
    { 'GPU-0': ['pcie_fatal_errors_before_run'], 'GPU-1': ['xid_79_before_run'], machine: ['ib_port_down'] },
  ],
  [
    'the runner breaks',
    { gpus: [first], crashing: 'GPU-0' },
    6,
    { 'GPU-0': ['pcie_fatal_errors_before_run'], machine: ['xid_79_before_run', 'ib_port_down'] },
  ],
];
for (const [words, script, expected, rules] of cases)
  test(`where ${words} and nothing is measured, what the kernel log, the slots and the ports say is told and delivered`, async (t) => {
    const { code, sent, text, ...run } = await runOf(t, script);
    assert.equal(code, expected);
    assert.deepEqual(run.ofMachine, rules['machine']);
    assert.ok(run.summary.warnings.some((line) => line.includes('has Xid 79')));
    assert.match(text, /port mlx5_0\/1 is connected and not active/);
    assert.equal(sent?.state, 'failed');
    const results = sent.payload?.benchmark_results.quick_mark ?? assert.fail('nothing was delivered');
    assert.ok(
      results.test_results.every(({ bf16_tflops, fp32_tflops }) => bf16_tflops === null && fp32_tflops === null),
    );
    // The coordinator judges the same facts again, whatever the agent found.
    const { test_results, node_health = [] } = judgeResults(results);
    const ofCards = test_results.map(({ gpu_id, health = [] }) => [gpu_id, health.map(({ rule }) => rule)]);
    assert.deepEqual({ ...Object.fromEntries(ofCards), machine: node_health.map(({ rule }) => rule) }, rules);
  });

test('where the driver is broken and no card can be chosen, the machine’s findings are told beside the error', async (t) => {
  const { code, summary, calls, ofMachine, text } = await runOf(t, { cards: 'error' });
  assert.equal(code, 5);
  assert.match(summary.error?.message ?? '', /a GPU that cannot be measured/);
  assert.deepEqual(ofMachine.toSorted(), ['ib_port_down', 'pcie_fatal_errors_before_run', 'xid_79_before_run']);
  assert.match(text, /the kernel log has Xid 79, 17 min ago: the GPU has fallen off the bus/);
  // It never registered: the job has its place free for a machine that works.
  assert.deepEqual(calls, []);
});
