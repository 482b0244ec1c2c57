import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matrixBlock } from '../../../agent/ui/matrix-text.ts';
import { plainPaint } from '../../../agent/ui/paint.ts';
import type { BandwidthCell } from '../../../coordinator/contract/bandwidth-matrix.ts';

const device = (device_id: string) => ({
  device_id,
  name: 'Card',
  vendor: 'nvidia',
  simulated: false,
  verdict: 'ok' as const,
  metrics: [],
  together: [],
  health: [],
  health_not_read: [],
});
const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `GPU-${index + 1}`);

function matrixOf(
  names: string[],
  change: (cell: BandwidthCell) => Partial<BandwidthCell> = () => ({}),
): BandwidthCell[] {
  return names.flatMap((source_gpu) =>
    names
      .filter((target_gpu) => target_gpu !== source_gpu)
      .map((target_gpu) => {
        const cell: BandwidthCell = {
          source_gpu,
          target_gpu,
          simplex_gbs: 391.25,
          duplex_gbs: 742,
          connection_type: 'NVLink x18',
          peer_access: true,
          verdict: 'ok',
          reason: null,
        };
        return { ...cell, ...change(cell) };
      }),
  );
}
const block = (cells: BandwidthCell[], count: number): string[] =>
  matrixBlock(cells, ids(count).map(device), plainPaint);

test('eight GPUs make a table within 80 columns, aligned, with its doubtful cells marked and explained', () => {
  const cells = matrixOf(ids(8), ({ source_gpu, target_gpu }) => {
    if (source_gpu === 'GPU-3' && target_gpu === 'GPU-5')
      return { simplex_gbs: 104.5, verdict: 'bad', reason: 'peers: 73.3 % below the median' };
    return source_gpu === 'GPU-1' && target_gpu === 'GPU-2'
      ? { simplex_gbs: null, duplex_gbs: null, verdict: 'absent', reason: 'the copy failed' }
      : {};
  });
  const lines = block(cells, 8);
  for (const line of lines) assert.ok(Array.from(line).length <= 80, line);
  const rows = lines.slice(2, 10);
  // The name of the row ends at column 7; each cell takes 9, its sign last: column c ends at 7 + 9 c.
  assert.deepEqual(
    rows.map((row) => row.slice(0, 7).trim()),
    ['GPU 0', 'GPU 1', 'GPU 2', 'GPU 3', 'GPU 4', 'GPU 5', 'GPU 6', 'GPU 7'],
  );
  const cellAt = (row: number, column: number): string =>
    (rows[row - 1] ?? '').padEnd(80).slice(7 + 9 * (column - 1), 7 + 9 * column);
  assert.deepEqual([cellAt(1, 1), cellAt(1, 2), cellAt(1, 3)], ['         ', '       - ', '   391.3 ']);
  assert.equal(cellAt(3, 5), '   104.5✗');
  assert.ok(lines.includes('  ✗ GPU 2 to GPU 4: peers: 73.3 % below the median'));
  assert.ok(lines.includes('  - GPU 0 to GPU 1: the copy failed'));
  assert.match(lines.at(-1) ?? '', /NVLink x18: 56 pairs, 104\.5 to 391\.3 GB\/s/);
});

test('with more GPUs than fit, the slowest ten pairs are listed, slowest first', () => {
  const cells = matrixOf(ids(16), ({ source_gpu }) => (source_gpu === 'GPU-16' ? { simplex_gbs: 90 } : {}));
  const lines = block(cells, 16);
  assert.match(lines[0] ?? '', /the 10 slowest of 240 pairs/);
  assert.equal(lines.filter((line) => / to GPU /.test(line)).length, 10);
  assert.match(lines[1] ?? '', /^  GPU 15 to GPU 0 +90\.00 +NVLink x18$/);
  for (const line of lines) assert.ok(Array.from(line).length <= 80, line);
});

test('pairs of different backends do not exist: a dot', () => {
  const cells = [...matrixOf(['GPU-1', 'GPU-2']), ...matrixOf(['GPU-3', 'GPU-4'])];
  const lines = block(cells, 4);
  assert.match(lines[2] ?? '', /^  GPU 0 +391\.3 +· +·$/);
});
