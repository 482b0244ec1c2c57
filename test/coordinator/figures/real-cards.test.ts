// The events of one healthy H100 SXM and one H200, some of them altered as a fault would alter them, judged as the agent judges them
// before it uploads and as the coordinator does again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MeasuredDevice } from '../../../agent/benchmarks/judge-node.ts';
import { planNode } from '../../../agent/benchmarks/plan-node.ts';
import { isGemmMetric } from '../../../coordinator/contract/matrix-engine.ts';
import { votingFigures } from '../../../coordinator/lifecycle/performance/node-figures.ts';
import {
  agentFindings,
  type Change,
  coordinatorFindings,
  coordinatorJudges,
  measuredAs,
  realCard,
  type RealModel,
} from '../../support/real-cards.ts';

const MODELS: RealModel[] = ['H100 SXM', 'H200'];
const cards = { 'H100 SXM': realCard('H100 SXM'), H200: realCard('H200') };
const one = (model: RealModel, change?: Change, attributes?: Record<string, unknown>): MeasuredDevice[] => [
  measuredAs(cards[model], 'GPU-1', 0, change, attributes),
];
const eight = (model: RealModel, changeOf: (place: number) => Change | undefined, rounds = [0, 1, 2, 0, 1, 2, 0, 1]) =>
  rounds.map((round, place) => measuredAs(cards[model], `GPU-${place}`, round, changeOf(place)));

/** Both judgements, which must find the same. */
function found(devices: readonly MeasuredDevice[]): Record<string, string>[] {
  const agent = agentFindings(devices);
  assert.deepEqual(coordinatorFindings(coordinatorJudges(devices).devices), agent);
  return agent;
}
const scaled =
  (share: number, isOf: (metric: string) => boolean): Change =>
  ({ metric, value }) =>
    value !== null && isOf(metric) ? { value: value * share } : {};

test('a healthy H100 and a healthy H200 have no finding, in any of their rounds', () => {
  for (const model of MODELS)
    for (const round of [0, 1, 2]) assert.deepEqual(found([measuredAs(cards[model], 'GPU-1', round)]), [{}]);
});

test('a single card that lacks a fifth of its memory bandwidth is found', () => {
  const isMemory = (metric: string) => metric === 'memory_bandwidth_gbs';
  for (const model of MODELS) {
    // 0.8 of what it reached, and the floor is 0.95 of that
    assert.deepEqual(found(one(model, scaled(0.8, isMemory))), [{ memory_bandwidth_gbs: 'warn spec band' }]);
    // What it cannot see: 4 % less is still what a healthy card might have.
    assert.deepEqual(found(one(model, scaled(0.96, isMemory))), [{}]);
  }
});

test('of a single card with 6 % less in every TFLOP/s the multiply-adds at the counted clock tell it, no product does', () => {
  const isTflops = (metric: string) => metric.endsWith('_tflops');
  for (const model of MODELS) {
    const lanes = { fma_fp32_tflops: 'warn lanes', fma_fp64_tflops: 'warn lanes' };
    assert.deepEqual(found(one(model, scaled(0.94, isTflops))), [lanes], 'lanes are missing');
    // A clock that is 6 % lower is within what the floors of a single card allow: only its peers show it.
    const slow: Change = ({ metric, value, details }) => ({
      ...scaled(0.94, isTflops)({ metric, value } as never),
      details: { ...details, clock_ghz: typeof details['clock_ghz'] === 'number' ? 0.94 * details['clock_ghz'] : null },
    });
    assert.deepEqual(found(one(model, slow)), [{}]);
    const node = found(eight(model, (place) => (place === 3 ? slow : undefined)));
    assert.match(node[3]?.['fma_fp32_tflops'] ?? '', /^bad peers$/);
    for (const healthy of [...node.slice(0, 3), ...node.slice(4)]) assert.deepEqual(healthy, {});
  }
});

test('products of our own kernels at 0.3 of what a card reaches are found on sm_90, where they keep up with the library', () => {
  const bySelf =
    (share: number): Change =>
    ({ metric, value, details }) => {
      if (!isGemmMetric(metric) || value === null) return {};
      const { own } = details['engines'] as { own: { tflops: number; path: string } };
      return { value: share * own.tflops, engine: 'own', details: { ...details, engines: {}, path: own.path } };
    };
  for (const model of MODELS) {
    assert.deepEqual(found(one(model, bySelf(1))), [{}], 'as they are');
    const slow = found(one(model, bySelf(0.3)))[0] ?? {};
    const products = one(model)[0]?.figures.filter(({ metric, value }) => isGemmMetric(metric) && value !== null) ?? [];
    assert.ok(products.length >= 8);
    assert.deepEqual(slow, Object.fromEntries(products.map(({ metric }) => [metric, 'warn spec band'])));
  }
});

test('eight cards with clocks locked to 1,410 MHz are found in their multiply-adds, with the clock in words', () => {
  const locked: Change = ({ metric, value, details }) =>
    metric.startsWith('fma_') && value !== null
      ? { value: (value * 1410) / 1980, details: { ...details, clock_ghz: 1.41 } }
      : {};
  const devices = eight('H200', () => locked);
  for (const card of found(devices))
    assert.deepEqual(card, { fma_fp32_tflops: 'warn spec band', fma_fp64_tflops: 'warn spec band' });
  const rule = coordinatorJudges(devices).devices[0]?.verdicts?.['fma_fp32_tflops']?.rule ?? '';
  // 65.2 x 1410 / 1980 = 46.4 of the sheet's 67
  assert.match(
    rule,
    /46\.43 TFLOP\/s is below 60\.3 TFLOP\/s: 0\.90 to .*one H100 SXM and one H200.*; it ran at 1410 of 1980 MHz/,
  );
});

test('rounds of one healthy card taken as the cards of a node make none of them slow', () => {
  for (const model of MODELS)
    for (const rounds of [
      [0, 0, 0, 0, 0, 1, 2, 0],
      [0, 1],
      [1, 2, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2],
    ])
      for (const engine of ['vendor', 'own'] as const) {
        const own: Change = ({ metric, value, details }) => {
          const by = details['engines'] as { own?: { tflops?: number } } | undefined;
          return isGemmMetric(metric) && value !== null
            ? { value: by?.own?.tflops ?? value, engine, details: { ...details, load: 'brief' } }
            : {};
        };
        const change = engine === 'own' ? own : undefined;
        const node = rounds.map((round, place) => measuredAs(cards[model], `GPU-${place}`, round, change));
        for (const card of found(node)) assert.deepEqual(card, {}, `${model} ${rounds.join()} ${engine}`);
      }
});

test('a gap between the engines is a remark: the figure passes and votes, as it must on an architecture that is not proven', () => {
  const gap: Change = ({ metric, value, details }) => {
    if (metric !== 'bf16_tflops' || value === null) return {};
    const { vendor } = details['engines'] as { vendor: { tflops: number } };
    return { details: { ...details, load: 'sustained', engines: { vendor, own: { tflops: 0.7 * vendor.tflops } } } };
  };
  const devices = one('H200', gap);
  assert.deepEqual(found(devices), [{}]);
  const judged = coordinatorJudges(devices).devices;
  assert.match(judged[0]?.verdicts?.['bf16_tflops']?.rule ?? '', /passed: .*engines/);
  assert.ok((votingFigures(judged)?.figures.bf16_tflops ?? 0) > 600);
});

test('a name that is not known is judged by all that needs no data sheet, and a virtual function by its card’s', () => {
  const renamed = (name: string, change?: Change) =>
    one('H200', change).map((card) => ({ ...card, device: { ...card.device, name } }));
  const isMemory = (metric: string) => metric === 'memory_bandwidth_gbs';
  assert.deepEqual(found(renamed('NVIDIA H299', scaled(0.5, isMemory))), [{}], 'nobody knows what it should have');
  const hot: Change = ({ metric }) => (metric === 'temperature_centigrade' ? { value: 130 } : {});
  assert.deepEqual(found(renamed('NVIDIA H299', hot)), [{ temperature_centigrade: 'bad spec band' }]);
  const node = eight('H200', (place) => (place === 5 ? scaled(0.9, isMemory) : undefined)).map((card) => ({
    ...card,
    device: { ...card.device, name: 'NVIDIA H299' },
  }));
  assert.deepEqual(found(node)[5], { memory_bandwidth_gbs: 'bad peers' });
});

test('copies with the host are held to the link that card and slot could have, and a narrow slot is a remark', () => {
  const isCopy = (metric: string) => /^(host_to_device|device_to_host)/.test(metric);
  const half = scaled(0.5, isCopy);
  const slow = { host_to_device_bandwidth_gbs: 'warn spec band', device_to_host_bandwidth_gbs: 'warn spec band' };
  const unread: Change = (result) => (isCopy(result.metric) ? { ...half(result), details: {} } : {});
  for (const model of MODELS) {
    assert.deepEqual(found(one(model, half)), [slow], 'at generation 5 x16 as read under load');
    assert.deepEqual(found(one(model, unread)), [slow], 'not read under load: what card and slot could have');
    const attributes = { pcie: { generation_max: 4, width_max: 16 } };
    const four: Change = (result) =>
      isCopy(result.metric)
        ? { ...half(result), details: { pcie_under_load: { generation_current: 4, width_current: 16 } } }
        : {};
    assert.deepEqual(found(one(model, four, attributes)), [{}], 'a slot of generation 4 is its owner’s choice');
    assert.deepEqual(found(one(model, unread, { pcie: null })), [{}], 'no link is known at all');
  }
});

test('the plan of a node gives the products of all its cards the time of a sustained load, so that they may be compared', () => {
  const gpus = (count: number) =>
    Array.from({ length: count }, (_, place) => ({ device_id: `GPU-${place}`, backend: 'cuda' }));
  for (const count of [2, 4, 8, 16])
    for (const tier of ['quick', 'standard'] as const) {
      const { together } = planNode(tier, gpus(count));
      assert.deepEqual([together?.time_scale, together?.benchmarks.includes('gemm_bf16')], [1, true]);
    }
});
