import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandwidthMatrix, latencyMatrix } from '../../../../coordinator/reports/facts/network-grid.ts';
import { worstLinks } from '../../../../coordinator/reports/facts/network-links.ts';
import { nodeNames } from '../../../../coordinator/reports/facts/node-names.ts';
import { networkRun } from '../examples/network-runs.ts';

test('the row is the sender and the column the receiver', () => {
  const { cellAt } = bandwidthMatrix(networkRun(8, { faults: { tx: { 5: 0.4 } } }));
  // 20 Gb/s * 0.955 * 0.4 = 7.64, give or take 1.5 %.
  for (const other of [0, 7]) {
    const sends = cellAt(5, other);
    const receives = cellAt(other, 5);
    assert(sends.kind === 'value' && Math.abs(sends.value - 7.64) < 0.12);
    assert(receives.kind === 'value' && Math.abs(receives.value - 19.1) < 0.3);
    assert(sends.share < 0.42 && receives.share > 0.96);
  }
});

test('a failed link, one that is not in the graph and the node itself are three different things', () => {
  const { cellAt } = bandwidthMatrix(networkRun(12, { degree: 4, faults: { lost: [3] } }));
  assert.equal(cellAt(3, 4).kind, 'failed');
  assert.equal(cellAt(0, 6).kind, 'absent');
  assert.equal(cellAt(3, 3).kind, 'diagonal');
});

test('only the slow direction of a suspect link is marked', () => {
  const { cellAt } = bandwidthMatrix(networkRun(8, { faults: { link: { '4-2': 0.3 } } }));
  const [slow, back, other] = [cellAt(4, 2), cellAt(2, 4), cellAt(4, 3)];
  assert.deepEqual(
    [slow, back, other].map((cell) => cell.kind === 'value' && cell.suspect),
    [true, false, false],
  );
});

test('twice the median latency is half a share, the same from either side', () => {
  const matrix = latencyMatrix(networkRun(8, { faults: { late: { 6: 1000 } } }));
  const [there, back] = [matrix.cellAt(6, 1), matrix.cellAt(1, 6)];
  assert.deepEqual(there, back);
  assert(there.kind === 'value' && matrix.reference !== null);
  assert.equal(there.share, matrix.reference / there.value);
});

test('bad links come first, then the slowest of the others', () => {
  const { lines } = worstLinks(networkRun(16, { faults: { link: { '9-2': 0.3, '4-5': 0.5 } } }));
  assert.deepEqual(
    lines.slice(0, 2).map(({ from, to, verdict }) => [from, to, verdict]),
    [
      ['9 gpu-010', '2 gpu-003', 'slow'],
      ['4 gpu-005', '5 gpu-006', 'slow'],
    ],
  );
  assert.equal(lines.length, 6);
  const factors = lines.slice(2).map(({ factor }) => factor ?? 0);
  assert.deepEqual(
    factors,
    factors.toSorted((a, b) => a - b),
  );
});

test('the domain is left out only if all names have the same and stay apart without it', () => {
  const named = (names: string[]) => {
    const { results } = networkRun(names.length);
    return nodeNames({
      results: { ...results, nodes: results.nodes.map((node, at) => ({ ...node, name: names[at] ?? '' })) },
    });
  };
  assert.deepEqual(named(['a.x.net', 'b.x.net']), ['a', 'b']);
  assert.deepEqual(named(['a.x.net', 'b.y.net']), ['a.x.net', 'b.y.net']);
  assert.deepEqual(named(['a.x.net', 'b']), ['a.x.net', 'b']);
  assert.deepEqual(named(['a.x.net', 'a.x.net']), ['a.x.net', 'a.x.net']);
});
