import assert from 'node:assert/strict';
import { test } from 'node:test';
import { besidePeak, healthyWords, whyGrey, worstOf } from '../../../coordinator/figures/reference-words.ts';
import type { CameAbout } from '../../../coordinator/figures/references.ts';

const H100 = 'NVIDIA H100 80GB HBM3';
const library: CameAbout = { engine: 'vendor', arithmetic: null, load: 'sustained' };

test('beside a peak stands what a healthy card of the model reaches', () => {
  const healthy = healthyWords(H100, 'bf16_tflops', library);
  // 702 / 989.4 = 0.7095
  assert.equal(besidePeak(0.7095, 989.4, healthy), '71 % of the data-sheet peak (989); a healthy H100 SXM reaches 677');
  assert.equal(healthyWords('NVIDIA H200', 'memory_bandwidth_gbs', library), 'a healthy H200 reaches 4,313');
  assert.equal(
    besidePeak(0.5, 312, healthyWords('NVIDIA A100-SXM4-80GB', 'bf16_tflops', library)),
    '50 % of the data-sheet peak (312)',
  );
});

test('a figure without a verdict says why', () => {
  const why = (model: string, how: Partial<CameAbout> = {}, metric = 'bf16_tflops') =>
    whyGrey(model, metric, { ...library, ...how });
  assert.equal(why(H100), null);
  assert.match(
    why(H100, { engine: 'own' }) ?? '',
    /with the vendor's library under sustained load, and this figure with gpumark's own kernels$/,
  );
  assert.match(why(H100, { load: null }) ?? '', /and this figure under a load that was not recorded$/);
  assert.match(
    why('NVIDIA B200') ?? '',
    /^no healthy card has been measured by us; the best of many shapes .* is 1,745$/,
  );
  assert.equal(
    why('NVIDIA A40'),
    "only the data sheet's peak is known for this model; no healthy card has been measured by us",
  );
  assert.equal(why('Card of tomorrow'), 'neither a healthy card nor a data sheet is known for it');
});

test('the worst ratio to peers or healthy cards decides, and a share of a peak never does', () => {
  const metric = (name: string, ratio: number | null, basis: 'peers' | 'reference' | 'spec' | 'none') => ({
    metric: name,
    value: 1,
    expected: 1,
    ratio,
    percentile: null,
    sample_size: 0,
    basis,
  });
  const all = [
    metric('a', 0.97, 'peers'),
    metric('b', 0.91, 'reference'),
    metric('c', 0.4, 'spec'),
    metric('d', null, 'none'),
  ];
  assert.deepEqual(worstOf(all), { metric: 'b', ratio: 0.91, of: 2 });
  assert.equal(worstOf(all.slice(2)), null);
});
