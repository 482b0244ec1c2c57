import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absentColour,
  cssColour,
  diagonalColour,
  failedColour,
  isDark,
  shareColour,
} from '../../../../coordinator/reports/layout/matrix-map.ts';

const rgb = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

/** As people without the cones for long or for middle waves see it (Viénot, Brettel, Mollon 1999), linear part only. */
function deuteranope([r, g, b]: [number, number, number]): number[] {
  return [0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b];
}

const distance = (a: number[], b: number[]): number => Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)));

test('good and slow stay apart, also for people who do not tell red from green', () => {
  for (const slow of [0, 0.25, 0.5, 0.75]) {
    const apart = distance(deuteranope(rgb(shareColour(slow))), deuteranope(rgb(shareColour(1))));
    assert(apart > 60, `${slow}: ${apart.toFixed(0)}`);
  }
});

test('what was not measured has none of the colours of a measurement', () => {
  const scale = Array.from({ length: 201 }, (_, step) => shareColour(step / 200));
  for (const colour of [failedColour, absentColour, diagonalColour]) {
    const nearest = Math.min(...scale.map((other) => distance(rgb(colour), rgb(other))));
    assert(nearest > 20, `${cssColour(colour)}: ${nearest.toFixed(0)}`);
  }
});

test('below 0.85 every step down is darker', () => {
  const light = Array.from({ length: 18 }, (_, step) =>
    rgb(shareColour(step / 20)).reduce((sum, part) => sum + part, 0),
  );
  assert.deepEqual(
    light,
    light.toSorted((a, b) => a - b),
  );
});

test('shares beyond the scale look like its ends; type on dark colours is white', () => {
  assert.equal(shareColour(-1), shareColour(0));
  assert.equal(shareColour(3), shareColour(1));
  assert.deepEqual([isDark(shareColour(0)), isDark(failedColour), isDark(shareColour(1))], [true, true, false]);
});
