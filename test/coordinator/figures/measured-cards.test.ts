// What is said of healthy cards against the cards that were measured.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gpuPeak, peakFigure } from '../../../coordinator/figures/gpu-peaks.ts';
import { certain } from '../../../coordinator/figures/gpu-peak.ts';
import { measuredCards } from '../../../coordinator/figures/measured-cards.ts';
import { referenceOf } from '../../../coordinator/figures/references.ts';
import { floorOf } from '../../../coordinator/figures/sheet-floors.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { realCard, type RealModel } from '../../support/real-cards.ts';

const resultsOf = (model: string, metric: string) =>
  realCard(model as RealModel).rounds.map(
    (round) => round.find((one) => one.metric === metric) ?? assert.fail(`${model} ${metric}`),
  );

/**
 * Operations per second of wall: n samples of k products of 8192^3 over the seconds in which the power was recorded. The files do
 * not say k; a wrong one would be off by a seventh or more, and the idle time between samples is 2 to 6 %.
 */
function perWall({ value, stats, details }: ReturnType<typeof resultsOf>[number]): number {
  const seconds = (details['power'] as { seconds: number }).seconds;
  const oneEach = (stats?.n ?? 0) * 2 * 8192 ** 3;
  const told = value ?? assert.fail();
  const products = Math.round((told * 0.965 * 1e12 * seconds) / oneEach);
  return (oneEach * products) / seconds / 1e12;
}

test('the reference of a product is what the files show per second of wall, of a steady figure the median of the rounds', () => {
  let compared = 0;
  for (const { model, library, steady } of measuredCards) {
    for (const [metric, value] of Object.entries(steady)) {
      const found = median(resultsOf(model, metric).flatMap((one) => one.value ?? []));
      assert.ok(Math.abs(value / found - 1) < 0.001, `${model} ${metric}: ${found}`);
      compared += 1;
    }
    for (const [metric, value] of Object.entries(library)) {
      const found = median(resultsOf(model, metric).map(perWall));
      assert.ok(Math.abs(value / found - 1) < 0.006, `${model} ${metric}: ${found}`);
      compared += 1;
    }
  }
  assert.equal(compared, 18);
});

test('every figure of a healthy card lies in the range of its reference and above the floor of its sheet, also by our kernels', () => {
  let compared = 0;
  for (const model of ['H100 SXM', 'H200'] as const) {
    const { device, rounds } = realCard(model);
    const peak = gpuPeak(device.name) ?? assert.fail();
    for (const { metric, value, details, engine } of rounds.flat()) {
      if (value === null) continue;
      const path = typeof details['path'] === 'string' ? details['path'] : null;
      const mode = details['mode'] === 'tf32' ? 'tf32' : details['mode'] === 'simt' ? 'simt' : null;
      // By their times the library's products were sustained, but for those on the lanes.
      const how = { engine, arithmetic: null, load: 'sustained', path, mode } as const;
      const reference = referenceOf(device.name, metric, how);
      if (reference?.basis === 'measured') {
        assert.ok(value >= reference.low && value <= (reference.high ?? 0), `${model} ${metric}: ${value}`);
        compared += 1;
      }
      const column = metric === 'memory_bandwidth_gbs' ? metric : peakFigure(peak, metric, { mode, path });
      const published = column === null ? null : certain(peak, column);
      if (column === null || published === null) continue;
      const own = (details['engines'] as { own?: { tflops?: number } } | undefined)?.own?.tflops ?? value;
      for (const [by, reached] of [
        [engine, value],
        ['own', own],
      ] as const) {
        const floor = floorOf(peak, column, { engine: by, metric: mode === 'tf32' ? 'tf32_tflops' : metric });
        assert.ok(floor.share * published <= 0.955 * reached, `${model} ${metric} by ${by}: ${floor.share}`);
        compared += 1;
      }
    }
  }
  assert.ok(compared > 150, `${compared} figures compared`);
});
