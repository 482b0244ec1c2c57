import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgePcieLink, type PcieLink } from '../../../coordinator/figures/pcie-band.ts';
import { bandOf, judgeByBand } from '../../../coordinator/figures/plausibility.ts';

const copy = (value: number, pcie: PcieLink | null, model = 'NVIDIA Unheard-of'): string | null => {
  const band = bandOf(model, 'host_to_device_bandwidth_gbs', { pcie });
  return band && judgeByBand(value, band).verdict;
};
const link = (generation: number, width: number): PcieLink => ({ generation, width });

test('a x16 link reaches 11, 22 and 48 GB/s in generations 3, 4 and 5, also on an unknown card', () => {
  assert.deepEqual(
    [10.9, 12.3].map((value) => copy(value, link(3, 16))),
    ['warn', 'ok'],
  );
  assert.deepEqual(
    [21.9, 26].map((value) => copy(value, link(4, 16))),
    ['warn', 'ok'],
  );
  assert.deepEqual(
    [47.9, 55].map((value) => copy(value, link(5, 16))),
    ['warn', 'ok'],
  );
});

test('no copy passes the wire', () => {
  // x16: 15.8, 31.5, 63.0 GB/s
  assert.deepEqual([copy(15.9, link(3, 16)), copy(31.6, link(4, 16)), copy(63.1, link(5, 16))], ['bad', 'bad', 'bad']);
  assert.equal(copy(31.4, link(4, 16)), 'ok');
});

test('a narrower link is expected to carry its share', () => {
  // 22 x 8 / 16 = 11; 8 x 1.969 = 15.75
  assert.deepEqual(
    [10.9, 11.1, 15.8].map((value) => copy(value, link(4, 8))),
    ['warn', 'ok', 'bad'],
  );
});

test('a figure within what card and slot can do accuses the reading of the link, not itself', () => {
  const idle = { generation: 1, width: 16, generation_max: 5, width_max: 16 };
  assert.equal(copy(55, idle), 'warn');
  assert.equal(copy(3.5, idle), 'ok', '16 lanes of 0.25 GB/s');
});

test('a superchip reaches its host past PCIe, and an unknown link has no limit', () => {
  assert.equal(copy(380, link(5, 16), 'NVIDIA GH200 480GB'), null);
  assert.equal(copy(380, link(1, 16), 'NVIDIA GB300-WS'), null);
  assert.equal(copy(60, link(5, 16), 'AMD Instinct MI300A'), null);
  assert.equal(copy(55, null), null);
  assert.equal(copy(55, { generation: null, width: 16 }), null);
  assert.equal(copy(55, { generation: 5, width: 0 }), null);
});

test('a link below what card and slot can do is named with both', () => {
  const best = { generation: 5, width: 16, generation_max: 5, width_max: 16 };
  assert.equal(judgePcieLink(best)?.verdict, 'ok');
  assert.deepEqual(judgePcieLink({ ...best, width: 8 }), {
    verdict: 'warn',
    rule: 'PCIe link degraded: generation 5 x8 under load of generation 5 x16',
  });
  assert.equal(judgePcieLink({ ...best, generation: 4 })?.verdict, 'warn');
  assert.equal(judgePcieLink({ generation: 5, width: 16 }), null);
});
