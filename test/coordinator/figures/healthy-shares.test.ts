// What is said of healthy cards against the cards that were measured.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certain, type GpuPeak } from '../../../coordinator/figures/gpu-peak.ts';
import { gpuPeak, gpuPeaks, peakFigure } from '../../../coordinator/figures/gpu-peaks.ts';
import { floorOf, healthyShare } from '../../../coordinator/figures/healthy-shares.ts';
import { realCard } from '../../support/real-cards.ts';

const peakOf = (name: string): GpuPeak => gpuPeaks.find((peak) => peak.name === name) ?? assert.fail(name);

test('every share of the sheet that a real card reached, by the library or our kernels, lies in the range told and well above the floor', () => {
  let compared = 0;
  for (const model of ['H100 SXM', 'H200'] as const) {
    const { device, rounds } = realCard(model);
    const peak = gpuPeak(device.name) ?? assert.fail();
    for (const { metric, value, details, engine } of rounds.flat()) {
      const mode = details['mode'] === 'tf32' ? 'tf32' : details['mode'] === 'simt' ? 'simt' : null;
      const told = healthyShare(model, metric, mode);
      if (value === null || told === null) continue;
      const path = typeof details['path'] === 'string' ? details['path'] : null;
      const column =
        metric === 'memory_bandwidth_gbs' ? metric : (peakFigure(peak, metric, { mode, path }) ?? assert.fail(metric));
      const published = certain(peak, column) ?? assert.fail(metric);
      const own = (details['engines'] as { own?: { tflops?: number } } | undefined)?.own?.tflops;
      for (const [by, reached] of [
        [engine, value],
        ['own' as const, own ?? value],
      ] as const) {
        const share = reached / published;
        assert.ok(share >= told.low && share <= told.high, `${model} ${metric} by ${by}: ${share}`);
        const floor = floorOf(peak, metric, column, { engine: by, path, mode });
        assert.ok(floor.cards > 0 && floor.share < told.low, `${model} ${metric}`);
        assert.ok(floor.share <= 0.955 * share, `${model} ${metric}: floor ${floor.share} of ${share}`);
        compared += 1;
      }
    }
  }
  assert.ok(compared > 150, `${compared} figures compared`);
});

test('a range and a floor say how many healthy cards are behind them and where they come from', () => {
  const told = healthyShare('H200', 'bf16_tflops') ?? assert.fail();
  assert.deepEqual([told.figure, told.low, told.high, told.count], ['bf16_tflops', 0.65, 0.8, 1]);
  assert.match(told.source, /native\/results 2026-11-27/);
  assert.equal(healthyShare('B200', 'bf16_tflops'), null, 'none was measured');
  assert.equal(healthyShare('H200', 'fp32_tflops'), null, 'nobody says on which units');
  for (const peak of gpuPeaks)
    for (const engine of ['own', 'vendor'] as const) {
      const floor = floorOf(peak, 'bf16_tflops', 'bf16_tflops', { engine });
      const isProven = peak.architecture === 'sm_90' || engine === 'vendor';
      assert.equal(floor.share >= 0.35, isProven, `${peak.name} by ${engine}`);
      assert.ok(floor.source.length > 20);
    }
});

test('memory of Hopper is held to 0.85 of its sheet where that memory was measured, multiply-adds to 0.90 of the lanes at the default clock', () => {
  const share = (name: string, metric: 'memory_bandwidth_gbs' | 'fma_fp32_tflops'): number =>
    floorOf(peakOf(name), metric, metric === 'memory_bandwidth_gbs' ? metric : 'fp32_tflops', { engine: null }).share;
  for (const name of ['H100 SXM', 'H200', 'H800 SXM', 'H20', 'H20-3e'])
    assert.equal(share(name, 'memory_bandwidth_gbs'), 0.85);
  for (const name of ['H100 SXM', 'H200']) assert.equal(share(name, 'fma_fp32_tflops'), 0.9);
  // 132 x 128 x 2 x 1.98 GHz = 66.9
  assert.ok(Math.abs((132 * 128 * 2 * 1.98) / 1000 / (peakOf('H100 SXM').fp32_tflops ?? 0) - 1) < 0.001);
});
