import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultsRequest } from '../../../coordinator/contract/agent-protocol.ts';
import { healthRules } from '../../../coordinator/figures/health-rules.ts';
import { topics } from '../../../agent/cli/help-topics.ts';
import { plainPaint } from '../../../agent/ui/paint.ts';
import { summaryText } from '../../../agent/ui/summary-text.ts';
import { fakeCoordinator } from '../support/fake-coordinator.ts';
import type { FakeGpu } from '../support/fake-gpus.ts';
import { exitCodeOf, hostWithRunner, summaryOf } from '../support/run-harness.ts';
import { jobToken } from '../support/test-host.ts';

const remaps = { correctable: 0, uncorrectable: 0, pending: false, failure: false };

/** Two cards of which the second has this fault, in a run of a job. */
async function runOf(t: Parameters<typeof hostWithRunner>[0], attributes: object, run: object = {}) {
  await using coordinator = await fakeCoordinator();
  const card: FakeGpu = { id: 'GPU-1', attributes: { row_remaps: remaps } };
  const ill: FakeGpu = {
    ...card,
    id: 'GPU-2',
    attributes: { ...card.attributes, ...attributes },
    details: { temperature_centigrade: { throttle: [], xid: [], ...run } },
  };
  const host = hostWithRunner(t, { gpus: [card, ill] });
  const code = await exitCodeOf({ ...host, system_root: host.folder }, jobToken(coordinator.url));
  const sent = resultsRequest.parse(coordinator.named('results')[0]?.body);
  const summary = summaryOf(host);
  return {
    code,
    outcome: summary.outcome,
    rules: summary.devices.map(({ health }) => health.map(({ rule }) => rule)),
    warnings: summary.warnings,
    error: summary.error?.message ?? null,
    state: sent.state,
    sent: sent.payload?.benchmark_results.quick_mark.test_results.map(({ health = [] }) =>
      health.map(({ rule }) => rule),
    ),
    failed: coordinator.named('fail').map(({ body }) => [body['state'], body['message']]),
    completed: coordinator.named('complete').length,
    text: summaryText(summary, plainPaint).replaceAll(/\s+/g, ' '),
  };
}

test('a critical finding ends the run with 9: the figures are delivered, the task fails with the sentence of the finding', async (t) => {
  const run = await runOf(t, { row_remaps: { ...remaps, failure: true } });
  const sentence =
    'GPU 1: a row of memory could not be remapped: no spare row is left in its bank (health rule row_remap_failed, critical). Do: return the part.';
  assert.deepEqual([run.code, run.outcome, run.error], [9, 'failed', sentence]);
  assert.deepEqual(run.rules, [[], ['row_remap_failed']]);
  assert.deepEqual([run.state, run.sent], ['completed', [[], ['row_remap_failed']]]);
  assert.deepEqual([run.failed, run.completed], [[['failed', sentence]], 0]);
  assert.match(
    run.text,
    /✗ GPU 1: a row of memory could not be remapped: .*\[row_remap_failed\] Do: Return the part\..*GPU 1: bad; 1 good/,
  );
});

test('a warning ends the run with 3 and is told with its action; the task completes', async (t) => {
  const run = await runOf(t, { row_remaps: { ...remaps, pending: true } });
  assert.deepEqual([run.code, run.outcome], [3, 'completed_with_warnings']);
  assert.deepEqual(run.warnings, ['GPU 1: a row of memory waits to be remapped, which happens at the next reset.']);
  assert.deepEqual([run.failed, run.completed], [[], 1]);
  assert.match(run.text, /! GPU 1: a row of memory waits .* Do: Reset the GPU/);
});

test('a remark changes neither exit code nor warnings, and is shown', async (t) => {
  const run = await runOf(t, { row_remaps: { ...remaps, uncorrectable: 3 } });
  assert.deepEqual([run.code, run.outcome, run.warnings], [0, 'completed', []]);
  assert.match(run.text, /i GPU 1: rows remapped after uncorrectable errors: 3, which is repaired/);
});

test('errors of the run are found too, and what the runner does not tell is counted as not read', async (t) => {
  const run = await runOf(
    t,
    {},
    { ecc_corrected_during_run: 4000, pcie_replays_during_run: 100_000, throttle: ['application_clocks'] },
  );
  assert.deepEqual(run.rules[1], ['many_corrected_errors_during_run', 'pcie_replays_during_run', 'clocks_held']);
  assert.equal(run.code, 3);
  assert.match(run.text, /- \d+ signals of health: /);
});

test('help health prints every rule of the table with its source, within 80 columns, and help exit-codes has its code', () => {
  const { health = '', 'exit-codes': codes = '' } = topics;
  const flat = health.replaceAll(/\s+/g, ' ');
  for (const { id, source } of healthRules) {
    assert.ok(health.includes(`\n  ${id}\n`), id);
    assert.ok(flat.includes(`${source.document}: ${source.section} (${source.confidence})`), id);
  }
  for (const line of health.split('\n')) assert.ok(line.length <= 80, line);
  assert.match(codes, /9 {2}a device or the machine is ill/);
});
