import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMeasurement } from '../../../../coordinator/reports/facts/devices.ts';
import { upload } from '../../jobs/upload.ts';
import { node, quickMark } from '../examples/parts.ts';

test('a report prints the values that were judged, whatever the samples beside them claim', () => {
  const results = upload('m').benchmark_results.quick_mark;
  const [device] = results.test_results;
  assert.ok(device);
  const stats = { n: 9, min: 1, max: 9000, median: 4000, p5: 1, p95: 9000, cv: 0.01 };
  Object.assign(device, { tf32_tflops: 400 });
  Object.assign(device.details, {
    tf32_tflops: { stats },
    nvfp4_tflops: { stats },
    fp64_tflops: { value: 52, stats },
    march_passes: { value: 4, stats: null },
    made_up: { stats },
  });
  const read = readMeasurement(node({ results: [quickMark(results)] }));
  assert.deepEqual(
    read?.devices[0]?.extra.map(({ metric, value }) => [metric, value]),
    [
      ['tf32_tflops', 400],
      ['fp64_tflops', 52],
      ['march_passes', 4],
    ],
  );
});
