// How often a healthy node gets a warning from a comparison: by computation from the spread and the number of cards, and by draw.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCells } from '../../../agent/benchmarks/judge-cells.ts';
import { isGemmMetric } from '../../../coordinator/contract/matrix-engine.ts';
import { limitsOf, spreadKind, spreads, type SpreadKind } from '../../../coordinator/figures/comparison-limits.ts';
import { isCompared } from '../../../coordinator/figures/judge-devices.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { devicesOf, healthyNodes } from '../../support/healthy-nodes.ts';
import {
  agentFindings,
  coordinatorFindings,
  coordinatorJudges,
  measuredAs,
  realCard,
} from '../../support/real-cards.ts';

const cards = [realCard('H100 SXM'), realCard('H200')];
const ONE_OF: Record<SpreadKind, [metric: string, load: 'sustained' | 'brief']> = {
  clock: ['memory_bandwidth_gbs', 'sustained'],
  power: ['bf16_tflops', 'sustained'],
  brief: ['bf16_tflops', 'brief'],
  host: ['host_to_device_bandwidth_gbs', 'sustained'],
};
const deviation = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)) / mean;
};
/** The rounds of each compared figure of both cards. */
const figuresOf = (engine: 'vendor' | 'own') =>
  cards.flatMap((card) =>
    measuredAs(card, 'GPU-1')
      .figures.filter(
        (figure) => isCompared(figure) && figure.value !== null && (engine === 'vendor' || isGemmMetric(figure.metric)),
      )
      .map(({ metric }) => ({
        metric,
        values: card.rounds.map((round) => {
          const result = round.find((one) => one.metric === metric);
          const own = (result?.details['engines'] as { own?: { tflops?: number } } | undefined)?.own?.tflops;
          return (engine === 'own' ? own : result?.value) ?? assert.fail(metric);
        }),
      })),
  );

test('the spreads are those of the two real cards, and for what two chips differ by at the power cap that of 8 % from whisker to whisker', () => {
  const pooled = (some: { values: number[] }[]): number =>
    Math.sqrt(some.reduce((sum, { values }) => sum + deviation(values) ** 2, 0) / some.length);
  const library = figuresOf('vendor');
  const of = (kind: SpreadKind) => library.filter(({ metric }) => spreadKind(metric, 'sustained') === kind);
  const largest = Math.max(...of('clock').map(({ values }) => deviation(values)));
  assert.ok(largest > 0.004 && largest <= spreads.clock.of_one_card, `clock ${largest}`);
  assert.ok(Math.max(...of('host').map(({ values }) => deviation(values))) <= spreads.host.of_one_card);
  const products = pooled(library.filter(({ metric }) => isGemmMetric(metric)));
  assert.ok(products > 0.005 && products <= spreads.power.of_one_card + 0.0005, `products ${products}`);
  // A box's whiskers end 1.5 interquartile ranges beyond the quartiles: 2 x (0.6745 + 1.5 x 1.349) = 5.4 deviations.
  const chips = 0.08 / (2 * (0.6745 + 1.5 * 1.349));
  assert.ok(Math.hypot(chips, 0.003) <= spreads.power.between_cards, `chips ${chips}`);
  const jump = Math.max(...figuresOf('own').map(({ values }) => Math.max(...values) / Math.min(...values) - 1));
  assert.ok(jump > 0.05 && jump <= spreads.brief.jump, `jump ${jump}`);
});

/** Upper tail of the normal distribution, to 1e-7 of itself: continued fraction beyond 3, else by Simpson from there. */
function upperTail(z: number): number {
  if (z < 3) {
    const [steps, width] = [2000, (3 - z) / 2000];
    let sum = 0;
    for (let step = 0; step <= steps; step += 1)
      sum += density(z + step * width) * (step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2);
    return upperTail(3) + (sum * width) / 3;
  }
  let fraction = z;
  for (let term = 60; term >= 1; term -= 1) fraction = z + term / fraction;
  return density(z) / fraction;
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let step = 1; step <= k; step += 1) ways = (ways * (n - k + step)) / step;
  return ways;
}

const STEP = 0.05;
const tails = new Map<number, number>();
/** At a multiple of the step. */
function tailAt(place: number): number {
  const known = tails.get(place) ?? upperTail(place * STEP);
  tails.set(place, known);
  return known;
}
const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/**
 * Probability that one healthy card x of n is more than L deviations behind their median, by integration over t = x + L. Of an odd
 * number the median is above t if (n + 1) / 2 of the others are. Of an even one it is the mean of two of the others that follow each
 * other, u above x and v above 2 t - u, or of x itself and the next, which is above x + 2 L. Of two: that they are more than L apart.
 */
function alarm(n: number, limit: number): number {
  const key = `${n} ${limit.toFixed(6)}`;
  const known = alarms.get(key) ?? computed(n, limit);
  alarms.set(key, known);
  return known;
}

const alarms = new Map<string, number>();
function computed(n: number, limit: number): number {
  if (n === 2) return 2 * upperTail(limit / Math.SQRT2);
  const others = n - 1;
  let sum = 0;
  for (let t = -80; t <= 160; t += 1) {
    let most = 0;
    if (n % 2 === 1) {
      const above = tailAt(t);
      for (let k = (n + 1) / 2; k <= others; k += 1)
        most += choose(others, k) * above ** k * (1 - above) ** (others - k);
    } else {
      const below = n / 2 - 2;
      const rest = others - below - 1;
      for (let u = Math.ceil(t - limit / STEP); u <= 160; u += 1)
        most +=
          density(u * STEP) *
          STEP *
          (1 - tailAt(u)) ** below *
          tailAt(Math.max(u, 2 * t - u)) ** rest *
          others *
          choose(others - 1, below);
      const x = t * STEP - limit;
      most += choose(others, n / 2) * upperTail(x + 2 * limit) ** (n / 2) * (1 - upperTail(x)) ** (n / 2 - 1);
    }
    sum += density(t * STEP - limit) * most * STEP;
  }
  return sum;
}

test('by computation at most 1 in 10,000 healthy nodes of 2 to 16 cards gets a warning from its peers, and fewer than 1 in 10,000 from a baseline', () => {
  // At a limit of 0 each of three cards is the lowest in a third of the cases, and each of four below the median in half.
  assert.ok(
    Math.abs(alarm(3, 0) * 3 - 1) < 0.05 && Math.abs(alarm(4, 0) * 2 - 1) < 0.05,
    `${alarm(3, 0)}, ${alarm(4, 0)}`,
  );
  assert.ok(Math.abs(upperTail(1.959964) / 0.025 - 1) < 1e-6 && Math.abs(upperTail(4.264891) / 1e-5 - 1) < 1e-4);
  const counts = (load: 'sustained' | 'brief'): [SpreadKind, number][] =>
    [...Map.groupBy(figuresOf('vendor'), ({ metric }) => spreadKind(metric, load))].map(([kind, some]) => [
      kind,
      some.length / cards.length,
    ]);
  const rates: string[] = [];
  for (const load of ['sustained', 'brief'] as const)
    for (const n of [2, 3, 4, 6, 8, 12, 16]) {
      let rate = 0;
      for (const [kind, figures] of counts(load)) {
        const limits = limitsOf(...ONE_OF[kind], n === 2 ? 'two' : 'peers');
        const limit = ((n === 2 ? limits.bad : limits.warn) - spreads[kind].jump) / spreads[kind].between_cards;
        rate += figures * (n === 2 ? 1 : n) * alarm(n, limit);
      }
      rates.push(`${n} cards, ${load}: ${rate.toExponential(1)}`);
      assert.ok(rate > 0 && rate <= 1e-4, rates.join('; '));
    }
  for (const comparison of ['two', 'itself', 'votes'] as const) {
    const rate = counts('sustained').reduce((sum, [kind, figures]) => {
      const { between_cards, of_one_card } = spreads[kind];
      const sigma = comparison === 'itself' ? of_one_card : between_cards;
      // Of the key figures only bf16, memory and the copies have votes.
      const counted = comparison === 'votes' ? (kind === 'host' ? 2 : 1) : figures;
      const variance = comparison === 'votes' ? 1.287 : 2;
      const limit = Math.max(limitsOf(...ONE_OF[kind], comparison).warn, comparison === 'votes' ? 0.05 : 0);
      return sum + counted * upperTail(limit / sigma / Math.sqrt(variance));
    }, 0);
    assert.ok(rate <= 1e-4, `${comparison}: ${rate}`);
  }
});

test('the limits are 3 and 5 % for what follows a clock, wider at the power cap, and widest for a brief load', () => {
  const percent = (...of: Parameters<typeof limitsOf>): number[] =>
    Object.values(limitsOf(...of)).map((share) => Number((100 * share).toFixed(1)));
  assert.deepEqual(percent('fma_fp32_tflops', 'brief', 'peers'), [3, 5]);
  assert.deepEqual(percent('memory_latency_ns', null, 'two'), [3.5, 5]);
  // 5.5 and 6.5 x 1.55 %
  assert.deepEqual(percent('bf16_tflops', 'sustained', 'peers'), [8.5, 10.1]);
  assert.deepEqual(percent('matrix_issue_bf16_tflops', 'settled', 'peers'), [8.5, 10.1]);
  // and 5.04 % more
  for (const load of ['brief', 'mixed', null] as const)
    assert.deepEqual(percent('bf16_tflops', load, 'peers'), [13.6, 15.1]);
  assert.deepEqual(percent('device_to_host_bandwidth_gbs', null, 'peers'), [11, 25]);
});

/** The whole of 10,000 is drawn by `test/soak/healthy-nodes.ts`. */
const DRAWS = 300;

test('healthy nodes of 1 to 16 cards, of both load classes, have no finding above a remark, here and on the coordinator', () => {
  let findings = 0;
  for (const node of healthyNodes(20_261_128, DRAWS)) {
    assert.deepEqual(
      agentFindings(node.devices),
      node.devices.map(() => ({})),
      node.words,
    );
    const cells = judgeCells(devicesOf(node), node.cells);
    assert.deepEqual(
      cells.filter(({ verdict }) => verdict !== 'ok'),
      [],
      node.words,
    );
    findings += node.devices.length;
    if (node.devices.length > 4) continue;
    const judged = coordinatorJudges(node.devices, cells);
    assert.deepEqual(
      coordinatorFindings(judged.devices),
      node.devices.map(() => ({})),
      node.words,
    );
    assert.deepEqual(judged.cells, cells);
  }
  // (1 + 2 + 4 + 8 + 16) / 5 cards for each node
  assert.equal(findings, 6.2 * DRAWS);
});

test('the draw is of healthy nodes, not of equal ones: limits of 3 % for products would accuse many of them', () => {
  let accused = 0;
  for (const { devices } of healthyNodes(7, 60)) {
    const values = devices.map(({ figures }) => figures.find(({ metric }) => metric === 'bf16_tflops')?.value ?? 0);
    if (devices.length >= 4 && values.some((value) => value < 0.97 * median(values))) accused += 1;
  }
  assert.ok(accused >= 5, `${accused} of 36`);
});
