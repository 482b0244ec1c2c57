import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uploadPayload } from '../../../coordinator/contract/agent-protocol.ts';
import { bandwidthMatrix, matrixCellsMax } from '../../../coordinator/contract/bandwidth-matrix.ts';
import { quickMarkMetrics, quickMarkResults } from '../../../coordinator/contract/quick-mark.ts';
import { fullMatrix } from '../reports/examples/bandwidth-cells.ts';
import { gemmResults } from '../reports/examples/gemm-gpus.ts';
import { fixedChance, simulatedGpu } from '../reports/examples/simulated-gpus.ts';
import { upload } from '../jobs/upload.ts';

const devices = (count: number) => Array.from({ length: count }, (_, index) => simulatedGpu(index, fixedChance(index)));
const idsOf = (count: number) => devices(count).map(({ gpu_id }) => gpu_id);

/** A node as a careful agent would describe it: every figure with its rule, and beside its neighbours. */
function fullUpload(count: number) {
  const payload = upload(
    'm',
    Array.from({ length: count }, () => ({})),
  );
  const rule = 'within 3 % of the median of its 16 peers and within 0.70 to 1.00 of the 3350 GB/s of its data sheet';
  payload.benchmark_results.quick_mark.test_results = devices(count).map((device) => ({
    ...device,
    verdicts: Object.fromEntries(quickMarkMetrics.map((metric) => [metric, { verdict: 'ok' as const, rule }])),
    together: Object.fromEntries(
      quickMarkMetrics.map((metric) => [metric, { value: 2810.5, alone: 2950.5, gap: 0.04744958481613286 }]),
    ),
  }));
  payload.benchmark_results.quick_mark.aggregate_results.gpu_bandwidth_matrix = fullMatrix(idsOf(count));
  return payload;
}

test('sixteen GPUs with 240 cells, verdicts and together figures pass the contract and stay below 1 MiB', () => {
  const payload = uploadPayload.parse(fullUpload(16));
  assert.equal(payload.benchmark_results.quick_mark.aggregate_results.gpu_bandwidth_matrix?.length, 16 * 15);
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  assert.ok(bytes < 1024 * 1024, `${bytes} bytes`);
});

test('64 devices with the records of both engines and all copies between them are kept: below 4 MiB', () => {
  const results = quickMarkResults.parse(gemmResults(64));
  results.aggregate_results.gpu_bandwidth_matrix = fullMatrix(results.test_results.map(({ gpu_id }) => gpu_id));
  const bytes = Buffer.byteLength(JSON.stringify(results));
  assert.ok(bytes > 1024 * 1024 && bytes < 3.5 * 1024 * 1024, `${bytes} bytes`);
});

test('a node of 64 devices may hold 4032 cells and no more', () => {
  const ids = Array.from({ length: 65 }, (_, index) => `GPU-${index}`);
  assert.equal(matrixCellsMax, 4032, '64 x 63');
  assert.ok(bandwidthMatrix.safeParse(fullMatrix(ids.slice(0, 64))).success);
  assert.ok(!bandwidthMatrix.safeParse(fullMatrix(ids)).success, '65 x 64 cells');
});

test('a cell of a device with itself, and a pair that stands there twice, are refused', () => {
  const cells = fullMatrix(['a', 'b']);
  const [first] = cells;
  assert.ok(first);
  assert.ok(bandwidthMatrix.safeParse(cells).success);
  assert.ok(!bandwidthMatrix.safeParse([{ ...first, target_gpu: first.source_gpu }]).success);
  assert.ok(!bandwidthMatrix.safeParse([...cells, { ...first, simplex_gbs: 1 }]).success);
});

test('a cell needs no more than the interface names, and an upload of an older agent has neither matrix nor verdicts', () => {
  const cell = { source_gpu: 'a', target_gpu: 'b', simplex_gbs: null, duplex_gbs: null, connection_type: 'unknown' };
  assert.deepEqual(bandwidthMatrix.parse([cell]), [cell]);
  const results = quickMarkResults.parse(upload('m').benchmark_results.quick_mark);
  assert.equal(results.test_results[0]?.verdicts, undefined);
  assert.equal(results.aggregate_results.gpu_bandwidth_matrix, undefined);
});

test('a negative speed, an unknown verdict and a gap above 1 are refused', () => {
  const [cell] = fullMatrix(['a', 'b']);
  assert.ok(!bandwidthMatrix.safeParse([{ ...cell, simplex_gbs: -1 }]).success);
  assert.ok(!bandwidthMatrix.safeParse([{ ...cell, verdict: 'fine' }]).success);
  const payload = fullUpload(1);
  const device = payload.benchmark_results.quick_mark.test_results[0];
  assert.ok(device?.together);
  device.together = { memory_bandwidth_gbs: { value: 1, alone: 1, gap: 1.01 } };
  assert.ok(!uploadPayload.safeParse(payload).success);
});
