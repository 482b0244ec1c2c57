import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkMatrix } from '../../../agent/ui/link-matrix.ts';
import { foldLinks } from '../../../agent/ui/link-view.ts';
import type { LinkView } from '../../../agent/ui/link-view.ts';
import type { LinksEvent } from '../../../agent/run/network-event.ts';
import { colourPaint, plainPaint } from '../../../agent/ui/paint.ts';
import { matchesGolden } from '../../support/golden.ts';

/** n nodes at about 0.94 Gb/s; node 1 sends at 0.4, the last is lost, the link 0-2 is slow one way. */
function cluster(n: number): LinkView {
  const last = n - 1;
  const nodes = Array.from({ length: n }, (_, node): LinksEvent['nodes'][number] => ({
    node,
    name: `rack${node >> 4}-n${node & 15}`,
    state: n > 2 && node === last ? 'lost' : 'joined',
  }));
  const cells: LinksEvent['cells'] = [];
  for (let a = 0; a < n; a += 1)
    for (let b = a + 1; b < n; b += 1) {
      const isLost = n > 2 && b === last;
      const rate = 0.93 + ((a * 7 + b * 3) % 10) / 1000;
      cells.push({
        source_node: a,
        target_node: b,
        forward_gbps: isLost ? null : a === 0 && b === 2 ? 0.281 : a === 1 ? 0.4 : rate,
        reverse_gbps: isLost ? null : b === 1 ? 0.4 : rate,
        latency_us: isLost ? null : 31.25,
        status: isLost ? 'node_lost' : 'ok',
      });
    }
  return foldLinks(null, { type: 'links', item: 1, nodes, cells });
}

const rowsFor = 200;

for (const n of [2, 8, 64, 256])
  test(`the matrix of ${n} nodes is the golden one and no wider than 80 columns`, async () => {
    const lines = linkMatrix(cluster(n), { columns: 80, rows: rowsFor }, plainPaint);
    for (const line of lines) assert.ok(Array.from(line).length <= 79, line);
    await matchesGolden(`agent/links-${n}.txt`, `${lines.join('\n')}\n`);
  });

test('colour does not change the text', () => {
  // oxlint-disable-next-line no-control-regex -- the codes themselves are left out
  const plain = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '');
  const size = { columns: 80, rows: 40 };
  const shown = linkMatrix(cluster(20), size, colourPaint).map(plain);
  const bare = linkMatrix(cluster(20), size, plainPaint);
  const legend = bare.findIndex((line) => line.startsWith('cells in'));
  assert.ok(legend > 0 && shown[legend]?.startsWith(bare[legend] ?? '-'));
  assert.deepEqual(shown.toSpliced(legend, 1), bare.toSpliced(legend, 1));
});

test('it never has more lines than the terminal has rows: neighbours share a cell, and the heading says so', () => {
  for (const rows of [10, 20, 40])
    for (const n of [2, 9, 64, 256]) {
      const lines = linkMatrix(cluster(n), { columns: 80, rows }, plainPaint);
      assert.ok(lines.length <= rows, `${n} nodes in ${rows} rows: ${lines.length}`);
    }
  assert.match(
    linkMatrix(cluster(64), { columns: 80, rows: 20 }, plainPaint)[0] ?? '',
    /a cell: the worst of \d+ x \d+ nodes/,
  );
});

test('one slow direction is seen in the cell of its group and named below, as is what failed', () => {
  const lines = linkMatrix(cluster(256), { columns: 80, rows: rowsFor }, plainPaint);
  const first = lines[2] ?? '';
  // 0.281 of 0.939 Gb/s is two tenths: the cell of nodes 0 to 3 towards themselves.
  assert.equal(first[6], '2');
  assert.match(lines.join('\n'), /least: +0\.2810 Gb\/s, 30 % of the median, 31\.25 µs {2}0 rack0-n0 -> 2 rack0-n2/);
  assert.match(lines.join('\n'), /failed: 255 links; by node: 255 rack15-n15 255/);
});

test('figures of slow links are separated by blanks', () => {
  const nodes = [0, 1, 2].map((node) => ({ node, name: 'vm', state: 'joined' as const }));
  const cell = { latency_us: null, status: 'ok' as const };
  const cells = [
    { ...cell, source_node: 0, target_node: 1, forward_gbps: 0.0378270206, reverse_gbps: 0.000_382 },
    { ...cell, source_node: 0, target_node: 2, forward_gbps: 187.25, reverse_gbps: 0 },
  ];
  const lines = linkMatrix(
    foldLinks(null, { type: 'links', item: 0, nodes, cells }),
    { columns: 80, rows: 24 },
    plainPaint,
  );
  assert.match(lines[2] ?? '', / 0\.0378 {2}187\.3 /);
  assert.match(lines[3] ?? '', / 0\.0004 /);
});

test('an unmeasured link is a dot, and a failed link is never shown with a figure', () => {
  const nodes = [0, 1, 2].map((node) => ({ node, name: `n${node}`, state: 'joined' as const }));
  const cell = { source_node: 0, target_node: 1, latency_us: null };
  const view = foldLinks(null, {
    type: 'links',
    item: 0,
    nodes,
    cells: [{ ...cell, forward_gbps: 9, reverse_gbps: 9, status: 'closed' }],
  });
  const lines = linkMatrix(view, { columns: 80, rows: 24 }, plainPaint);
  assert.match(lines[2] ?? '', /^ {3}0 +x +· {2}n0$/);
  assert.doesNotMatch(lines.join('\n'), /9\.000/);
});
