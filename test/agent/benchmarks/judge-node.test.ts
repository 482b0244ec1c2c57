import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figuresOf } from '../../../agent/benchmarks/run-quick-mark.ts';
import { judgeNode } from '../../../agent/benchmarks/judge-node.ts';
import type { DeviceEvent, RunnerEvent } from '../../../agent/kernels/runner-events.ts';
import type { DeviceSummary } from '../../../agent/run/run-summary.ts';
import { deviceEvent, head } from '../support/device-event.ts';
import { problemsOf } from '../support/problems-of.ts';

const H100 = 'NVIDIA H100 80GB HBM3';
const units: Record<string, string> = { gbs: 'GB/s', ns: 'ns', us: 'us', watts: 'W', wh: 'Wh', centigrade: 'C' };
const result = (metric: string, value: number | null, details = {}, device_id = 'GPU-1'): RunnerEvent => ({
  ...head,
  event: 'result',
  device_id,
  benchmark: 'b',
  metric,
  value,
  unit: units[metric.split('_').at(-1) ?? ''] ?? 'TFLOP/s',
  reason: value === null ? 'no sensor' : null,
  stats: null,
  verified: value === null ? null : true,
  engine: 'own',
  details,
});

function judge(events: RunnerEvent[], rest: Partial<DeviceEvent> = {}): DeviceSummary {
  const judged = judgeNode(
    [{ device: deviceEvent(rest), events, figures: figuresOf(events, deviceEvent(rest)) }],
    null,
  );
  assert.ok(judged[0]);
  return judged[0];
}
const verdict = (summary: DeviceSummary, metric: string) => {
  const found = summary.metrics.find((one) => one.metric === metric);
  return [found?.verdict, found?.rule, found?.reason ?? ''] as const;
};

test('a memory bandwidth above what the data sheet allows is bad, and stays visible', () => {
  // H100 SXM: 3352 GB/s published.
  const summary = judge([result('memory_bandwidth_gbs', 3600)]);
  const [state, rule, reason] = verdict(summary, 'memory_bandwidth_gbs');
  assert.deepEqual([state, rule, summary.metrics[0]?.value], ['bad', 'spec band', 3600]);
  assert.match(reason, /3600 GB\/s is above the physical limit/);
  assert.equal(problemsOf([summary]).length, 1);
  assert.equal(verdict(judge([result('memory_bandwidth_gbs', 2950)]), 'memory_bandwidth_gbs')[0], 'ok');
});

test('the data sheet does not apply to a MIG instance, a partition, a simulated card or an unknown model', () => {
  const slow = [result('memory_bandwidth_gbs', 400)];
  assert.equal(verdict(judge(slow), 'memory_bandwidth_gbs')[0], 'warn');
  for (const rest of [
    { device_id: 'MIG-1' },
    { attributes: { partition: { compute: 'CPX', memory: 'NPS4' } } },
    { simulated: true },
    { name: 'NVIDIA Z999' },
  ]) {
    const id = rest.device_id ?? 'GPU-1';
    const events = [result('memory_bandwidth_gbs', 400, {}, id)];
    const judged = judgeNode(
      [{ device: deviceEvent(rest), events, figures: figuresOf(events, deviceEvent(rest)) }],
      null,
    );
    assert.deepEqual([judged[0]?.verdict, judged[0]?.metrics[0]?.judged_by], ['ok', ['verification']]);
  }
});

test('a copy is judged by the state of the link under load', () => {
  const at = (gbs: number, generation: number) =>
    verdict(
      judge([
        result('host_to_device_bandwidth_gbs', gbs, {
          pcie_under_load: { generation_current: generation, width_current: 16 },
        }),
      ]),
      'host_to_device_bandwidth_gbs',
    )[0];
  // Generation 5 x16 carries 63 GB/s and healthy links reach 48; generation 3 carries 15.8.
  assert.deepEqual([at(55, 5), at(25, 5), at(25, 3)], ['ok', 'warn', 'bad']);
  assert.equal(verdict(judge([result('host_to_device_bandwidth_gbs', 25)]), 'host_to_device_bandwidth_gbs')[0], 'ok');
});

test('a link below the capability of card and slot is a warning, however fast its copies are', () => {
  const pcie_under_load = { generation_current: 4, width_current: 16 };
  const attributes = { pcie: { generation_max: 5, width_max: 16 } };
  const events = [result('host_to_device_bandwidth_gbs', 26, { pcie_under_load })];
  const judged = judgeNode(
    [{ device: deviceEvent({ attributes }), events, figures: figuresOf(events, deviceEvent()) }],
    null,
  );
  const copy = judged[0]?.metrics[0];
  assert.deepEqual([copy?.verdict, copy?.rule, copy?.value], ['warn', 'PCIe link', 26]);
  assert.match(copy?.reason ?? '', /generation 4 x16 under load of generation 5 x16/);
});

test('at the power cap is a remark; what slows a card down is told by the health rules and marks no figure', () => {
  const run = (throttle: string[]) =>
    judge([result('power_consumption_watts', 640), result('temperature_centigrade', 88, { throttle })]);
  const capped = run(['sw_power_cap']);
  assert.deepEqual(verdict(capped, 'power_consumption_watts'), [
    'ok',
    null,
    'at its power cap, which is normal under load',
  ]);
  assert.deepEqual(problemsOf([capped]), []);
  assert.deepEqual(verdict(run(['hw_thermal', 'power_brake']), 'temperature_centigrade')[0], 'ok');
});

test('uncorrected memory errors make the memory figure bad, corrected ones do not', () => {
  const run = (details: object) =>
    judge([result('memory_bandwidth_gbs', 2950), result('temperature_centigrade', 60, details)]);
  const broken = run({ ecc_uncorrected_during_run: 2, ecc_corrected_during_run: 9 });
  assert.deepEqual(verdict(broken, 'memory_bandwidth_gbs'), [
    'bad',
    'ecc',
    '2 uncorrected memory errors during the run',
  ]);
  assert.equal(run({ ecc_corrected_during_run: 9, ecc_uncorrected_during_run: 0 }).verdict, 'ok');
});

test('an energy counter that is not trusted is a warning', () => {
  const details = { trusted: false, ratio: 0.42, source: 'integrated power' };
  const [state, rule, reason] = verdict(
    judge([result('energy_consumption_wh', 2.5, details)]),
    'energy_consumption_wh',
  );
  assert.deepEqual([state, rule], ['warn', 'energy counter']);
  assert.match(reason, /ratio 0\.42.*integrated power/);
});

test('a mean power by a counter that contradicts the power over time is a warning, over two seconds and more', () => {
  const at = (counter_ratio: number, load_seconds: number) => {
    const details = { counter_agrees: false, counter_ratio, load_seconds, integrated_watts: 350, source: 'counter' };
    return verdict(judge([result('power_consumption_watts', 350 * counter_ratio, details)]), 'power_consumption_watts');
  };
  // 0.42 x 350 W = 147 W, within what a card may draw, so that no other rule trips first.
  const [state, rule, reason] = at(0.42, 5);
  assert.deepEqual([state, rule], ['warn', 'energy counter']);
  assert.match(reason, /ratio 0\.42/);
  assert.notEqual(at(0.42, 1.5)[1], 'energy counter');
});

test('a run too short to trust the counter, or a counter that agrees, is not a contradiction', () => {
  const at = (ratio: number, seconds: number) =>
    verdict(
      judge([result('energy_consumption_wh', 0.004, { trusted: false, ratio, seconds })]),
      'energy_consumption_wh',
    )[0];
  assert.deepEqual([at(2.56, 0.11), at(1, 1.9), at(0.92, 3)], ['ok', 'ok', 'ok']);
  assert.deepEqual([at(2.56, 3), at(0, 3), at(0.85, 3)], ['warn', 'warn', 'warn']);
});

test('latencies fall behind upwards, and what differs from card to card is not compared', () => {
  const node = ['GPU-1', 'GPU-2', 'GPU-3'].map((id, index) => {
    const events = [
      result('memory_latency_ns', index === 2 ? 700 : 600, {}, id),
      result('power_consumption_watts', 400 + 100 * index, {}, id),
      result('kernel_launch_overhead_us', 2 + index, {}, id),
    ];
    const card = deviceEvent({ device_id: id });
    return { device: card, events, figures: figuresOf(events, card) };
  });
  const judged = judgeNode(node, null);
  // 600 / 700 = 0.857: 14.3 % behind.
  assert.deepEqual(
    judged.map((summary) => verdict(summary, 'memory_latency_ns')[0]),
    ['ok', 'ok', 'bad'],
  );
  for (const metric of ['power_consumption_watts', 'kernel_launch_overhead_us'])
    assert.deepEqual(
      judged.map((summary) => verdict(summary, metric)[0]),
      ['ok', 'ok', 'ok'],
    );
});

test('cards of different models are not peers', () => {
  const node = [H100, 'NVIDIA A100-SXM4-80GB'].map((name, index) => {
    const id = `GPU-${index + 1}`;
    const events = [result('memory_bandwidth_gbs', index === 0 ? 2950 : 1700, {}, id)];
    const card = deviceEvent({ device_id: id, name });
    return { device: card, events, figures: figuresOf(events, card) };
  });
  assert.deepEqual(
    judgeNode(node, null).map((summary) => summary.verdict),
    ['ok', 'ok'],
  );
});
