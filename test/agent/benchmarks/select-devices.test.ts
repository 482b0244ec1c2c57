import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectDevices } from '../../../agent/benchmarks/select-devices.ts';
import { ExitError } from '../../../agent/cli/exit-error.ts';

const device = (device_id: string, backend: string, status = 'ok') => ({
  device_id,
  backend,
  vendor: backend,
  status,
  detail: 'why',
  name: device_id,
});
const ids = (devices: { device_id: string }[]) => devices.map((one) => one.device_id);
const cpu = device('cpu-0', 'cpu');
const node = [device('cuda-1', 'cuda'), device('cuda-2', 'cuda'), device('cuda-3', 'cuda', 'error'), cpu];

test('auto takes every usable card, else the processor', () => {
  assert.deepEqual(ids(selectDevices(node, 'auto')), ['cuda-1', 'cuda-2']);
  assert.deepEqual(ids(selectDevices([device('cuda', 'cuda', 'no-driver'), cpu], 'auto')), ['cpu-0']);
});

test('ids and backends may be mixed and repeated; each device is measured once', () => {
  assert.deepEqual(ids(selectDevices(node, 'cuda-2, cuda,cuda-2')), ['cuda-2', 'cuda-1']);
});

test('an unknown id is usage and lists what there is; a broken device is no_device and says why', () => {
  const thrown = (wanted: string): ExitError => {
    try {
      selectDevices(node, wanted);
    } catch (error) {
      if (error instanceof ExitError) return error;
    }
    return assert.fail('refused');
  };
  assert.deepEqual([thrown('cuda-9').code, thrown('').code, thrown('cuda-3').code], [2, 2, 5]);
  assert.match(thrown('cuda-9').remedy ?? '', /cuda-1, cuda-2, cpu-0/);
  assert.match(thrown('cuda-3').remedy ?? '', /cuda-3: error \(why\)/);
});
