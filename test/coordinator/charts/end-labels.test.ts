import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endLabels, type Point } from '../../../coordinator/charts/end-labels.ts';
import { widthOf } from '../../../coordinator/charts/svg-parts.ts';

const area = { left: 56, top: 30, bottom: 218 };

/** A line across the full width of the chart. */
const line = (name: string, number: number, yOf: (x: number) => number) => ({
  name,
  number,
  points: Array.from({ length: 57 }, (_, at): Point => [56 + at * 5, yOf(56 + at * 5)]),
});

/** The area covered by each name: 9 px above the text's baseline, 3 below. */
const boxesOf = (labels: readonly string[]) =>
  labels
    .join('')
    .matchAll(/<text class="t\d" x="([\d.]+)" y="([\d.]+)" text-anchor="end">([^<]*)</g)
    .map(([, x, y, name = '']) => ({ right: Number(x), left: Number(x) - widthOf(name), y: Number(y), name }))
    .toArray();

const situations = {
  'falling in parallel': [line('first of them', 1, (x) => 60 + x / 3), line('second of them', 2, (x) => 90 + x / 3)],
  crossing: [line('first of them', 1, (x) => 40 + x / 2), line('second of them', 2, (x) => 210 - x / 2)],
  'on top of each other': [line('first of them', 1, () => 120), line('second of them', 2, () => 121)],
  'at the bottom': [
    line('first of them', 1, (x) => 34 + x / 2),
    line('second of them', 2, (x) => Math.min(217, 34 + x)),
  ],
};

for (const [situation, lines] of Object.entries(situations))
  test(`names of lines ${situation}: none overlaps a line, a knot or another name`, () => {
    const knots = lines.flatMap(({ points }) => points.filter((_, at) => at % 14 === 0));
    const boxes = boxesOf(endLabels(lines, area, knots));
    assert.deepEqual(boxes.map(({ name }) => name).toSorted(), ['first of them', 'second of them']);
    for (const { left, right, y, name } of boxes) {
      const covered = [...lines.flatMap(({ points }) => points), ...knots].filter(
        ([px, py]) => px >= left && px <= right && py > y - 10 && py < y + 4,
      );
      assert.deepEqual(covered, [], name);
    }
    const [first, second] = boxes;
    assert.ok(first && second);
    const apart = first.right < second.left || second.right < first.left || Math.abs(first.y - second.y) >= 13;
    assert.ok(apart, 'the names');
  });

test('a name without room along its line is placed elsewhere, next to a sample of its line', () => {
  const lines = [line('first', 1, () => 120), line('second', 2, () => 200)];
  const knots = lines[1]?.points.flatMap(([x, y]): Point[] => [
    [x, y - 10],
    [x, y + 10],
  ]);
  const labels = endLabels(lines, area, knots);
  assert.equal(labels.length, 3, 'two names and a line sample');
  assert.match(labels.join(''), /<line class="s2"[^>]*\/><text class="t2"/);
});

test('a single line needs no name', () => {
  assert.deepEqual(endLabels([line('alone', 1, () => 100)], area), []);
});
