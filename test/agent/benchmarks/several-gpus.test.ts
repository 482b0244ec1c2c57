import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeCoordinator } from '../support/fake-coordinator.ts';
import type { FakeGpu } from '../support/fake-gpus.ts';
import { runnerCalls } from '../support/fake-runner.ts';
import type { RunnerScript } from '../support/fake-runner.ts';
import { eventsOf, exitCodeOf, hostWithRunner, summaryOf } from '../support/run-harness.ts';
import { jobToken } from '../support/test-host.ts';
import { resultsRequest } from '../../../coordinator/contract/agent-protocol.ts';

const cards = (count: number, rest: Partial<FakeGpu> = {}): FakeGpu[] =>
  Array.from({ length: count }, (_, index) => ({ id: `GPU-${index + 1}`, ...rest }));
const withOne = (count: number, number: number, rest: Partial<FakeGpu>): FakeGpu[] =>
  cards(count).map((gpu, index) => (index + 1 === number ? { ...gpu, ...rest } : gpu));

/** A run through a job: exit code, what was delivered, the summary and the runner's command lines. */
async function measure(t: Parameters<typeof hostWithRunner>[0], script: RunnerScript) {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t, script);
  const code = await exitCodeOf({ ...host, system_root: host.folder }, jobToken(coordinator.url));
  const sent = resultsRequest.parse(coordinator.named('results')[0]?.body);
  const quickMark = sent.payload?.benchmark_results.quick_mark;
  return {
    code,
    state: sent.state,
    warnings: summaryOf(host).warnings,
    entries: quickMark?.test_results ?? [],
    aggregate: quickMark?.aggregate_results,
    matrix: quickMark?.aggregate_results.gpu_bandwidth_matrix,
    summary: summaryOf(host),
    events: eventsOf(host),
    calls: runnerCalls(host.folder).map((call) => call.split(' ')),
  };
}

test('all GPUs are measured at once in full, then each alone in turn, then their copies in what is left of the minute', async (t) => {
  const run = await measure(t, { gpus: cards(3) });
  assert.equal(run.code, 0, run.warnings.join());
  assert.deepEqual(
    run.calls.map((call) => call.slice(0, 3).join(' ')),
    ['run --device GPU-1,GPU-2,GPU-3', 'run --device GPU-1,GPU-2,GPU-3', 'matrix --device GPU-1,GPU-2,GPU-3'],
  );
  const [together, turns, matrix] = run.calls.map((call) => call.join(' '));
  assert.match(together ?? '', /--benchmarks fma,gemm_fp32,.*gemm_bf16,.*memory,cache,dispatch,energy --tier quick$/);
  assert.match(turns ?? '', /--benchmarks clock,.*link,.*march,energy --turns memory,link --tier quick --time-scale /);
  assert.match(matrix ?? '', /--time-scale /);
  // 3 x 2 ordered pairs.
  assert.equal(run.matrix?.length, 6);
  assert.deepEqual(
    [run.matrix?.[0]?.source_gpu, run.matrix?.[0]?.target_gpu, run.matrix?.[0]?.simplex_gbs],
    ['GPU-1', 'GPU-2', 400],
  );
});

test('the headline is the figure with all GPUs at work, with their number; the same alone and the gap stand beside it', async (t) => {
  const run = await measure(t, { gpus: withOne(2, 2, { loses: 0.2 }) });
  // 48.3 x 0.8 = 38.64.
  assert.ok(Math.abs((run.entries[1]?.memory_bandwidth_gbs ?? 0) - 38.64) < 1e-9);
  const details = run.entries[1]?.details['memory_bandwidth_gbs'] as { cards_at_work?: number } | undefined;
  assert.equal(details?.cards_at_work, 2);
  const { value, alone, gap } = run.entries[1]?.together?.['memory_bandwidth_gbs'] ?? {};
  assert.ok(Math.abs((value ?? 0) - 38.64) < 1e-9);
  assert.deepEqual([alone, gap], [48.3, 0.2]);
  // The fake runner reports 11 samples of each figure.
  const { samples, alone_samples } = run.entries[1]?.together?.['memory_bandwidth_gbs'] ?? {};
  assert.deepEqual([samples, alone_samples], [11, 11]);
  assert.equal(run.entries[0]?.together?.['memory_bandwidth_gbs']?.gap, 0);
  assert.equal(run.summary.devices[1]?.together[0]?.gap, 0.2);
  assert.ok(run.events.some((event) => event['type'] === 'together' && event['device_id'] === 'GPU-2'));
  // What it reached alone is not a second result of the device.
  assert.equal(
    run.events.filter((event) => event['type'] === 'result' && event['metric'] === 'memory_bandwidth_gbs').length,
    2,
  );
});

test('one GPU, or a processor, has no figure together and no matrix', async (t) => {
  for (const gpus of [cards(1), []]) {
    const run = await measure(t, { gpus });
    assert.equal(run.calls.length, 1);
    assert.equal(run.matrix, undefined);
    assert.deepEqual([run.entries[0]?.together, run.summary.matrix], [undefined, null]);
  }
});

test('a GPU loses more than 10 % while all work: bad, more than 5 %: doubtful, by a rule of its own', async (t) => {
  const verdicts = async (loses: number) => {
    // All alike, so that no card is behind its peers.
    const run = await measure(t, { gpus: cards(3, { loses }) });
    return [run.code, run.entries[0]?.verdicts?.['memory_bandwidth_gbs'], run.warnings] as const;
  };
  const [, fine] = await verdicts(0.04);
  assert.equal(fine?.verdict, 'ok');
  const [code, doubtful, warnings] = await verdicts(0.08);
  assert.deepEqual([code, doubtful?.verdict], [3, 'warn']);
  assert.match(doubtful?.rule ?? '', /^all at once: 8\.0 % below the same alone, limit 5 %$/);
  assert.equal(warnings.length, 1, warnings.join());
  const [, bad] = await verdicts(0.14);
  assert.deepEqual([bad?.verdict, bad?.rule], ['bad', 'all at once: 14.0 % below the same alone, limit 10 %']);
});

test('throttling, driver errors and memory errors while all work are kept and judged, card by card', async (t) => {
  const seen = { throttle: ['power_brake'], xid: ['79'], ecc_uncorrected_during_run: 1 };
  const run = await measure(t, { gpus: withOne(2, 2, { details: { temperature_centigrade: seen } }) });
  const found = run.entries.map(({ health = [] }) => health.map(({ rule }) => rule).toSorted());
  assert.deepEqual(found, [[], ['power_brake', 'uncorrected_errors_during_run', 'xid_79']]);
  assert.match(run.warnings.join(), /GPU 1: the server braked the card \(power brake\)/);
  assert.equal(run.entries[1]?.verdicts?.['memory_bandwidth_gbs']?.verdict, 'bad');
  assert.equal(run.code, 9);
  const details = run.entries[1]?.details['temperature_centigrade'] as { xid?: unknown } | undefined;
  assert.deepEqual(details?.xid, ['79']);
  // The hottest of the whole run, not of the turns that came last.
  assert.equal(run.entries[1]?.temperature_centigrade, 60);
});

test('a GPU lost mid-run keeps what it measured, the others go on, and the run ends with 3', async (t) => {
  const run = await measure(t, { gpus: withOne(3, 2, { together: 'lost' }) });
  assert.deepEqual([run.code, run.state, run.summary.outcome], [3, 'completed', 'completed_with_warnings']);
  const lost = run.entries[1];
  assert.deepEqual([lost?.memory_bandwidth_gbs, lost?.fp32_tflops, lost?.l2_bandwidth_gbs], [48.3, null, null]);
  assert.equal(lost?.unavailable['fp32_tflops'], 'the card was lost');
  // What the runner did not get to say has the loss as its reason.
  assert.match(lost?.unavailable['bf16_tflops'] ?? '', /fell off the bus/);
  assert.equal(run.aggregate?.fp32_tflops, null);
  assert.deepEqual(
    run.summary.devices.map((device) => device.verdict),
    ['ok', 'warn', 'ok'],
  );
  assert.deepEqual(run.calls.at(-1)?.slice(0, 3), ['matrix', '--device', 'GPU-1,GPU-3']);
  assert.deepEqual(run.warnings, ['GPU 1 fell off the bus', 'GPU 1: fp32 and last-level cache: the card was lost.']);
});

test('a GPU in use by others is not measured, and the run ends with 3', async (t) => {
  const run = await measure(t, { gpus: withOne(2, 1, { together: 'busy' }) });
  assert.deepEqual([run.code, run.entries[0]?.memory_bandwidth_gbs, run.matrix], [3, null, undefined]);
  assert.match(run.warnings[0] ?? '', /70 of 80 GB in use/);
});

test('with every GPU busy nothing is measured: exit 5, with the reason, and the job is notified', async (t) => {
  await using coordinator = await fakeCoordinator();
  const host = hostWithRunner(t, { gpus: cards(2, { together: 'busy' }) });
  assert.equal(await exitCodeOf({ ...host, system_root: host.folder }, jobToken(coordinator.url)), 5);
  const { error } = summaryOf(host);
  const sentence = (id: string) => `${id} has 70 of 80 GB in use by 1 other process`;
  assert.equal(error?.message, `${sentence('GPU 0')}; ${sentence('GPU 1')}`);
  assert.match(error?.remedy ?? '', /nvidia-smi/);
  // What was read of the machine's health is delivered, without a figure.
  const sent = resultsRequest.parse(coordinator.named('results')[0]?.body);
  assert.deepEqual(
    sent.payload?.benchmark_results.quick_mark.test_results.map((entry) => entry.memory_bandwidth_gbs),
    [null, null],
  );
  assert.equal(coordinator.named('fail')[0]?.body['state'], 'failed');
  assert.equal(await exitCodeOf({ ...host, system_root: host.folder }, null), 5);
});

test('a GPU that is lost in the turns is left out of the copies; what it measured before stays', async (t) => {
  const run = await measure(t, { gpus: withOne(3, 3, { turns: 'lost' }) });
  assert.deepEqual([run.code, run.entries[2]?.memory_bandwidth_gbs], [3, 48.3]);
  assert.match(run.warnings.join(), /GPU 2 fell off the bus/);
  assert.deepEqual(run.calls.at(-1)?.slice(0, 3), ['matrix', '--device', 'GPU-1,GPU-2']);
});

test('if the runner dies while all work, each GPU is measured alone, with a warning; in the turns only the gap is missing', async (t) => {
  const died = await measure(t, { gpus: withOne(2, 1, { together: 'crash' }) });
  assert.deepEqual([died.code, died.entries[0]?.together, died.entries[0]?.memory_bandwidth_gbs], [3, undefined, 48.3]);
  assert.match(died.warnings.join(), /all GPUs together: the runner ended by exit code 3.*; each was measured alone/);
  assert.deepEqual(
    died.calls.map((call) => call.slice(0, 3).join(' ')),
    ['run --device GPU-1,GPU-2', 'run --device GPU-1', 'run --device GPU-2', 'matrix --device GPU-1,GPU-2'],
  );
  // (49.5 / 2 - 1) / 48.5 = 0.4897.
  assert.deepEqual(died.calls[1]?.slice(-2), ['--time-scale', '0.489']);
  const later = await measure(t, { gpus: withOne(2, 1, { turns: 'crash' }) });
  assert.deepEqual([later.code, later.state, later.entries[1]?.together], [3, 'completed', undefined]);
  assert.equal(later.entries[1]?.memory_bandwidth_gbs, 48.3);
});

test('a wrong result while all work, or in the turns, fails the run', async (t) => {
  const wrong = await measure(t, { gpus: withOne(2, 1, { together: 'wrong' }) });
  assert.deepEqual([wrong.code, wrong.state], [6, 'failed']);
  assert.match(wrong.summary.error?.message ?? '', /what was read differs/);
  assert.deepEqual([wrong.entries[0]?.memory_bandwidth_gbs, wrong.entries[1]?.memory_bandwidth_gbs], [null, 48.3]);
  const later = await measure(t, { gpus: withOne(2, 1, { turns: 'wrong' }) });
  assert.deepEqual([later.code, later.state], [6, 'failed']);
});

test('a straggler among its peers is named with the rule: bad beyond 5 %, doubtful beyond 3 %', async (t) => {
  // Median of 100, 100, 94 and 96 is 98: 94 is 4.1 % behind, 96 2.0 %. Of 100, 100, 100, 94 it is 6 %.
  const verdicts = async (memory: number[]) => {
    const run = await measure(t, { gpus: memory.map((gbs, index) => ({ id: `GPU-${index + 1}`, memory: gbs })) });
    return { code: run.code, verdicts: run.entries.map((entry) => entry.verdicts?.['memory_bandwidth_gbs']) };
  };
  const slightly = await verdicts([100, 100, 94, 96]);
  assert.deepEqual([slightly.code, ...slightly.verdicts.map((one) => one?.verdict)], [3, 'ok', 'ok', 'warn', 'ok']);
  const badly = await verdicts([100, 100, 100, 94]);
  assert.deepEqual([badly.code, badly.verdicts[3]?.verdict], [3, 'bad']);
  assert.match(badly.verdicts[3]?.rule ?? '', /^peers: 6\.0 % behind the median of the 4/);
  assert.match(badly.verdicts[0]?.rule ?? '', /^passed: spread, peers, all at once$/);
});

test('a bad cell of the matrix is marked, and the run ends with 3', async (t) => {
  const cells = [{ from: 'GPU-1', to: 'GPU-3', gbs: 200 }];
  const run = await measure(t, { gpus: cards(3), cells });
  const bad = run.matrix?.filter((cell) => cell.verdict !== 'ok') ?? [];
  assert.deepEqual(
    bad.map((cell) => [cell.source_gpu, cell.target_gpu, cell.simplex_gbs, cell.verdict]),
    [['GPU-1', 'GPU-3', 200, 'bad']],
  );
  // 200 of the 400 that the other NVLink pairs reach.
  assert.deepEqual([run.code, run.warnings.length], [3, 1]);
  assert.match(run.warnings[0] ?? '', /GPU 0 to GPU 2: 50\.0 % below the median of the NVLink copies/);
});

test('two vendors in one machine are all measured, and copied between only within a vendor', async (t) => {
  const amd = ['0000:c1:00.0', '0000:c2:00.0'].map((id) => ({ id, backend: 'rocm' as const, name: 'Test AMD' }));
  const run = await measure(t, { gpus: [...cards(2), ...amd] });
  assert.deepEqual(
    run.entries.map((entry) => entry.vendor),
    ['nvidia', 'nvidia', 'amd', 'amd'],
  );
  const vendorOf = new Map(run.entries.map((entry) => [entry.gpu_id, entry.vendor]));
  assert.equal(run.matrix?.length, 4);
  for (const cell of run.matrix ?? []) assert.equal(vendorOf.get(cell.source_gpu), vendorOf.get(cell.target_gpu));
  // 4 x 48.3 GB/s.
  assert.ok(Math.abs((run.aggregate?.memory_bandwidth_gbs ?? 0) - 193.2) < 1e-9);
  assert.equal(run.events.find((event) => event['type'] === 'inventory') === undefined, false);
  const inventory = run.events.find((event) => event['type'] === 'inventory')?.['inventory'] as { gpu_vendor: string };
  assert.equal(inventory.gpu_vendor, 'mixed');
});

test('unreadable sensors are reported with a remedy, and are not a warning', async (t) => {
  const attributes = { telemetry: null, telemetry_problem: 'no permission to use NVML' };
  const run = await measure(t, { gpus: cards(1, { attributes }) });
  assert.equal(run.code, 0);
  const notice = run.events.find((event) => event['type'] === 'notice' && event['level'] === 'warning');
  assert.match(String(notice?.['message']), /GPU-1: power, temperature and energy cannot be read: no permission/);
  assert.match(String(notice?.['remedy']), /nvidiactl/);
  assert.equal(run.entries[0]?.energy_consumption_wh, null);
});

test('a model without published figures is measured, with a notice that it is judged by its peers only', async (t) => {
  const run = await measure(t, { gpus: cards(2) });
  const said = run.events.filter((event) =>
    /no published figures are known for Test Card/.test(String(event['message'])),
  );
  assert.equal(said.length, 1);
});
