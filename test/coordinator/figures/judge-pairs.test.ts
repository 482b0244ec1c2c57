// Copies between the cards of a node against the links that their board has, as the agent judges them and the coordinator again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCells } from '../../../agent/benchmarks/judge-cells.ts';
import type { CellEvent, DeviceEvent } from '../../../agent/kernels/runner-events.ts';
import { fabricOf } from '../../../coordinator/figures/fabric-links.ts';
import { gpuPeaks } from '../../../coordinator/figures/gpu-peaks.ts';
import type { MeasuredDevice } from '../../../agent/benchmarks/judge-node.ts';
import { coordinatorJudges, measuredAs, realCard } from '../../support/real-cards.ts';

const real = realCard('H200');
/** `count` cards of a model, whole and healthy but for what `active` says of their links. */
const node = (name: string, count: number, active: number | null = null): MeasuredDevice[] =>
  Array.from({ length: count }, (_, place) => {
    const card = measuredAs(real, `GPU-${place}`, 0, () => null, active === null ? {} : { nvlink_active: active });
    return { ...card, device: { ...card.device, name } };
  });
type Path = readonly [connection_type: string, simplex_gbs: number];
const cellsOf = (devices: readonly MeasuredDevice[], pathOf: (from: number, to: number) => Path): CellEvent[] =>
  devices.flatMap((_from, from) =>
    devices.flatMap((_to, to): CellEvent[] => {
      if (from === to) return [];
      const [connection_type, simplex_gbs] = pathOf(from, to);
      return [cell(`GPU-${from}`, `GPU-${to}`, connection_type, simplex_gbs)];
    }),
  );
const cell = (
  source_device_id: string,
  target_device_id: string,
  connection_type: string,
  simplex_gbs: number,
): CellEvent => ({
  schema: 'gpumark.native/1',
  t_ms: 1,
  event: 'cell',
  source_device_id,
  target_device_id,
  connection_type,
  peer_access: true,
  simplex_gbs,
  duplex_gbs: 2 * simplex_gbs,
  reason: null,
  stats: null,
  duplex_stats: null,
  verified: true,
  details: {},
});

/** pair -> "verdict rule", the same of both judgements; `reasons` are the agent's sentences. */
function judged(devices: readonly MeasuredDevice[], pathOf: (from: number, to: number) => Path) {
  const events: DeviceEvent[] = devices.map(({ device }) => device);
  const cells = judgeCells(events, cellsOf(devices, pathOf));
  // An agent that saw nothing wrong.
  const blind = cells.map((one) => ({ ...one, verdict: 'ok' as const, reason: null }));
  const kept = coordinatorJudges(devices, blind).cells;
  assert.deepEqual(coordinatorJudges(devices, kept).cells, kept, 'judging again changes nothing');
  const rules = (some: typeof cells): Record<string, string> =>
    Object.fromEntries(
      some
        .filter(({ verdict }) => verdict !== 'ok')
        .map(({ source_gpu, target_gpu, verdict, reason }) => [
          `${source_gpu.slice(4)}>${target_gpu.slice(4)}`,
          `${verdict} ${(reason ?? '').replace('judged by the coordinator: ', '').split(':')[0]}`,
        ]),
    );
  assert.deepEqual(rules(kept), rules(cells));
  return {
    rules: rules(cells),
    reasons: cells.flatMap(({ verdict, reason }) => (verdict === 'ok' ? [] : (reason ?? ''))),
  };
}
const H200 = 'NVIDIA H200';
const H100 = 'NVIDIA H100 80GB HBM3';
const A100 = 'NVIDIA A100-SXM4-80GB';
const all = (count: number, words: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, from) =>
      Array.from({ length: count }, (__, to) => [`${from}>${to}`, words]).filter(
        ([pair]) => pair !== `${from}>${from}`,
      ),
    ).flat(),
  );

test('eight H100 at the speeds that eight healthy ones copy have no finding, nor four that are joined directly', () => {
  // The first row that NVIDIA/nccl#1264 shows.
  const row = [371.02, 376.65, 376.6, 376.82, 375.59, 375.94, 375.6];
  assert.deepEqual(judged(node(H100, 8, 18), (from, to) => ['NVLink x18', row[(from + to) % 7] ?? 0]).rules, {});
  // A board of four without switches: 6 links for each pair, 130 GB/s of 150.
  assert.deepEqual(judged(node(H100, 4, 18), () => ['NVLink x6', 130]).rules, {});
  assert.deepEqual(judged(node(A100, 4, 12), () => ['NVLink x4', 90]).rules, {});
});

test('a pair that lost one of four links is found among its peers, since the count in its path makes no group of its own', () => {
  const one = ([from, to]: readonly [number, number]): boolean => Math.min(from, to) === 0 && Math.max(from, to) === 1;
  const path = (from: number, to: number): Path => (one([from, to]) ? ['NVLink x3', 67.5] : ['NVLink x4', 90]);
  const bad = { '0>1': 'bad peers', '1>0': 'bad peers' };
  const known = judged(node(A100, 4, 12), path);
  assert.deepEqual(known.rules, bad);
  assert.match(known.reasons[0] ?? '', /^peers: 25\.0 % below the median of the NVLink copies/);
  assert.deepEqual(judged(node('NVIDIA Unlisted', 4), path).rules, bad, 'nor on a model that is not known');
});

test('eight cards that all have 12 of 18 links, and two that have 6, are found in every pair', () => {
  const eight = judged(node(H200, 8, 12), () => ['NVLink x12', 250]);
  assert.deepEqual(eight.rules, all(8, 'warn links'));
  assert.match(eight.reasons[0] ?? '', /12 of the 18 NVLinks of H200/);
  assert.deepEqual(judged(node(H200, 2, 6), () => ['NVLink x6', 130]).rules, all(2, 'warn links'));
  // Eight are never joined directly, whatever they say of their links.
  assert.deepEqual(judged(node(H200, 8, 18), () => ['NVLink x6', 130]).rules, all(8, 'warn links'));
});

test('one card of eight with 12 of 18 links is found in both directions', () => {
  const { rules } = judged(node(H200, 8), (from, to) =>
    from === 3 ? ['NVLink x12', 250] : ['NVLink x18', to === 3 ? 250 : 375],
  );
  const others = [0, 1, 2, 4, 5, 6, 7];
  // 1 - 250 / 375 = 0.333
  const expected = others.flatMap((other) => [
    [`3>${other}`, 'bad peers'],
    [`${other}>3`, 'bad peers'],
  ]);
  assert.deepEqual(rules, Object.fromEntries(expected));
});

test('copies by PCIe on a board with NVLink are found, with what to look at; on cards without it they are normal', () => {
  for (const path of ['PCIe SYS', 'host-staged (no peer access)']) {
    const { rules, reasons } = judged(node(H100, 8, 0), () => [path, 12]);
    assert.deepEqual(rules, all(8, 'warn links'));
    assert.match(
      reasons[0] ?? '',
      /the board of H100 SXM joins its cards by 18 NVLinks each; check nvidia-fabricmanager/,
    );
  }
  assert.deepEqual(judged(node('NVIDIA H100 PCIe', 4), () => ['PCIe SYS', 40]).rules, {});
  assert.deepEqual(judged(node('NVIDIA L40S', 8), () => ['PCIe NODE', 22]).rules, {});
  // Without the management library no path has a name: the speed tells it.
  assert.deepEqual(judged(node(H100, 2), () => ['unknown', 375]).rules, {});
  assert.deepEqual(judged(node(H100, 2), () => ['unknown', 37]).rules, all(2, 'warn links'));
});

test('all pairs a fifth below what their links carry are found, though they are slow as one', () => {
  // 0.8 x 18 x 25 = 360, and healthy pairs copy 371 at least
  assert.deepEqual(judged(node(H200, 8, 18), () => ['NVLink x18', 359]).rules, all(8, 'warn links'));
  // One link of 64 GB/s between two MI300X, of which 0.6 is 38.4
  const amd = (gbs: number) => {
    const devices = node('AMD Instinct MI300X VF', 8).map((one) => ({
      ...one,
      device: { ...one.device, vendor: 'amd' as const },
    }));
    return judged(devices, () => ['xGMI', gbs]).rules;
  };
  assert.deepEqual(amd(48), {});
  assert.deepEqual(amd(38), all(8, 'warn links'));
});

test('boards that join pairs by different numbers of links accuse none of them', () => {
  const links = [
    [0, 1, 1, 2],
    [1, 0, 2, 1],
    [1, 2, 0, 1],
    [2, 1, 1, 0],
  ];
  const cube = judged(node('Tesla V100-SXM2-16GB', 4, 6), (from, to) => {
    const count = links[from]?.[to] ?? 0;
    return [`NVLink x${count}`, 24 * count];
  });
  assert.deepEqual(cube.rules, {});
  // Two dies of one module have four links, other pairs one or two.
  const dies = node('AMD Instinct MI250X', 8).map((one) => ({
    ...one,
    device: { ...one.device, vendor: 'amd' as const },
  }));
  assert.deepEqual(
    judged(dies, (from, to) => ['xGMI', Math.floor(from / 2) === Math.floor(to / 2) ? 150 : 38]).rules,
    {},
  );
});

test('simulated cards, slices and pairs of different models are held to no board', () => {
  const simulated = node(H200, 4).map((one) => ({ ...one, device: { ...one.device, simulated: true } }));
  assert.deepEqual(judged(simulated, () => ['NVLink x3', 5]).rules, {});
  const mixed = [...node(H200, 2).slice(0, 1), ...node(H100, 2).slice(1)];
  assert.deepEqual(judged(mixed, () => ['PCIe SYS', 12]).rules, {});
});

test('each model with such links has a floor with its source, and says how many healthy cards are behind it', () => {
  const known = gpuPeaks.flatMap(({ name }) => {
    const fabric = fabricOf(name);
    return fabric === null ? [] : [{ name, ...fabric }];
  });
  assert.ok(known.length >= 20);
  for (const { name, links, link_gbs, floor, cards, source } of known) {
    assert.ok(floor >= 0.5 && floor <= 0.8 && links >= 6 && link_gbs >= 25, name);
    assert.match(source, cards === 0 ? /by caution/ : /nccl#1264/, name);
  }
  // 900 and 1,800 GB/s of the sheets, in both directions
  assert.deepEqual(
    ['H100 SXM', 'B200']
      .map((name) => known.find((one) => one.name === name))
      .map((one) => 2 * (one?.links ?? 0) * (one?.link_gbs ?? 0)),
    [900, 1800],
  );
});
