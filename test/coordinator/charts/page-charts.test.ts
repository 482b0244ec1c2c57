import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayLines } from '../../../coordinator/charts/day-lines.ts';
import { sensorLines } from '../../../coordinator/charts/sensor-lines.ts';
import { strips } from '../../../coordinator/charts/strips.ts';
import { chartWidths } from '../../../coordinator/charts/svg-parts.ts';
import { count, textsOf } from './read-svg.ts';

test('a line of days breaks at a day without a value: the gap is a box, a single day is a dot, the axis has its unit', () => {
  const days = { '01': 2, '02': 2.2, '05': 2.4, '08': 2.1, '09': 2.3 };
  const points = Object.entries(days).map(([day, value]) => ({ day: `2026-08-${day}`, value }));
  const given = { unit: 'USD per GPU hour', from: '2026-08-01', to: '2026-08-10' };
  for (const width of Object.values(chartWidths)) {
    const svg = dayLines([{ name: 'H100', points }], { ...given, width });
    // 1 to 2 and 8 to 9 are lines, the 5th is a single day; 3 to 4, 6 to 7 and the 10th are missing.
    assert.deepEqual([count(svg, /<path class="s1"/g), count(svg, /<circle class="d1"/g)], [2, 1]);
    assert.equal(count(svg, /<rect class="gap"/g), 3);
    assert.ok(textsOf(svg).some((text) => text.startsWith('USD per GPU hour')));
    assert.doesNotMatch(svg, /style=|<style/);
  }
});

test('sensors over a run: three axes with units, no line for a sensor without readings, marks for what throttles the device', () => {
  const series = {
    seconds: [0, 1, 2, 3, 4, 5],
    power_watts: [100, 600, null, null, 610, 600],
    temperature_celsius: [null, 40, 50, 60, 90, 91],
    clock_mhz: [1980, 1980, 1980, 1980, 1200, 1200],
    throttled: [],
  };
  const stretches = [
    { from: 1, to: 4, words: 'its power cap', isBad: false },
    { from: 4, to: 5, words: 'hardware thermal slowdown', isBad: true },
  ];
  const svg = sensorLines(series, stretches, chartWidths.wide);
  assert.deepEqual(
    [1, 2, 3].map((line) => count(svg, new RegExp(`<path class="s${line}"`, 'g'))),
    [2, 1, 1],
  );
  assert.deepEqual([count(svg, /class="held"/g), count(svg, /class="cap"/g), count(svg, /class="slow"/g)], [1, 1, 1]);
  const texts = textsOf(svg);
  for (const words of ['Power, W', 'Temperature, °C', 'seconds since the start on this device'])
    assert.ok(
      texts.some((text) => text.startsWith(words)),
      words,
    );
  assert.ok(
    !textsOf(sensorLines({ ...series, clock_mhz: series.clock_mhz.map(() => null) }, [], 358)).some((text) =>
      text.startsWith('Clock'),
    ),
  );
});

test('strips show figures with different units on one percent axis; a mark outside the band has its name beside it', () => {
  const rows = [
    {
      label: 'bf16',
      note: '694 to 726 TFLOP/s, n 6',
      band: { low: -0.02, high: 0.02 },
      marks: [
        { at: 0.01, sign: '' },
        { at: -0.1, sign: 'GPU-3' },
      ],
    },
  ];
  for (const width of Object.values(chartWidths)) {
    const svg = strips(rows, { width, axis: 'percent from the median' });
    const texts = textsOf(svg);
    for (const text of ['GPU-3', 'percent from the median', '0']) assert.ok(texts.includes(text), text);
    assert.equal(count(svg, /<circle class="d1"/g), 1);
    assert.equal(count(svg, /<rect class="band"/g), 1);
    // Below the band means to the left of it.
    const band = Number(/class="band" x="([\d.]+)"/.exec(svg)?.[1]);
    assert.ok(Number(/<path class="d2" d="M([\d.]+)/.exec(svg)?.[1]) < band);
  }
});

const peers = Array.from({ length: 20 }, (_, at) => ({ at: at / 1000, sign: '' }));
const rowOf = (marks: readonly { at: number; sign: string }[]) => [{ label: 'BF16', note: `n ${marks.length}`, marks }];

test('every peer of a strip is drawn, the furthest outliers are named, and equal figures give equal pictures', () => {
  const odd = [-0.12, -0.11, 0.2, -0.05, -0.04].map((at) => ({ at, sign: `node ${at}` }));
  for (const width of Object.values(chartWidths)) {
    const draw = (): string => strips(rowOf([...peers, ...odd]), { width, axis: 'percent from the median' });
    const svg = draw();
    assert.deepEqual([count(svg, /<circle class="d1"/g), count(svg, /<path class="d2"/g)], [20, 5]);
    assert.deepEqual(
      textsOf(svg).filter((text) => text.startsWith('node')),
      ['node 0.2', 'node -0.12', 'node -0.11'],
    );
    assert.equal(svg, draw());
  }
});

test('names in a strip overlap neither the marks nor each other', () => {
  const odd = [-0.021, -0.02, -0.019].map((at) => ({ at, sign: `a name as long as that of a node ${at}` }));
  const svg = strips(rowOf([...peers, ...odd]), { width: chartWidths.paper, axis: 'percent from the median' });
  const lines = [...svg.matchAll(/ y="([\d.]+)" text-anchor="(?:start|end)">a name/g)].map(([, y]) => Number(y));
  const dots = [...svg.matchAll(/<circle class="d1"[^>]* cy="([\d.]+)"/g)].map(([, y]) => Number(y));
  assert.equal(new Set(lines).size, 3);
  assert.ok(Math.min(...lines) - 9 > Math.max(...dots), 'names are below the dots');
});

test('samples in a strip: a box from p5 to p95, a line from minimum to maximum, on a percent axis', () => {
  const marks = [{ at: 0, low: -0.1, high: 0.1, sign: '' }];
  const rows = [{ label: 'Memory', note: '100 GB/s, n 8', band: { low: -0.05, high: 0.04 }, marks }];
  const svg = strips(rows, { width: chartWidths.paper, axis: 'percent from the median' });
  const [, from, to] = /class="whisker" x1="([\d.]+)" x2="([\d.]+)"/.exec(svg) ?? [];
  const [, left, width] = /class="band" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(svg) ?? [];
  const perPercent = (Number(to) - Number(from)) / 20;
  assert.ok(Math.abs((Number(left) - Number(from)) / perPercent - 5) < 0.05);
  assert.ok(Math.abs(Number(width) / perPercent - 9) < 0.05);
  const texts = textsOf(svg);
  for (const text of ['Memory', '100 GB/s, n 8', 'percent from the median', '-10', '0', '+10'])
    assert.ok(texts.includes(text), texts.join('|'));
});
