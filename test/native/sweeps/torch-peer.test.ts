import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { deviceFolder, workPlace } from '../support/device-check-run.ts';

test('torch_peer.py says in JSON that there is no torch', async (context) => {
  // -S: none of the packages that this machine may have.
  const script = join(deviceFolder, 'torch_peer.py');
  const ran = await execa('python3', ['-I', '-S', '-B', script, '--array-bytes', '8'], { reject: false });
  if (ran.code === 'ENOENT') return context.skip('no python3 here');
  assert.equal(ran.exitCode, 3, ran.stderr);
  assert.deepEqual(JSON.parse(ran.stdout), {
    schema: 'gpumark.torch-peer/1',
    reason: "python3 cannot import torch: No module named 'torch'",
  });
});

test('torch’s products are counted as ours: all of them by the time from the first event to the last', async (context) => {
  // A torch whose stretches last 1 and 3 ms in turn on a clock of its own. 20 products of 1 TFLOP in 1 ms and as many in 3 ms
  // are 10 per ms; the mean of the two rates is 13.3.
  const program = [
    'import sys, types',
    `sys.path.insert(0, ${JSON.stringify(deviceFolder)})`,
    'import torch_peer',
    'at = {"ms": 0.0, "marks": 0}',
    'class Event:',
    '    def __init__(self, enable_timing): pass',
    '    def record(self):',
    '        at["marks"] += 1',
    '        at["ms"] += 3 if at["marks"] % 2 else 1',
    '        self.ms = at["ms"]',
    '    def synchronize(self): pass',
    '    def elapsed_time(self, other): return other.ms - self.ms',
    'cuda = types.SimpleNamespace(Event=Event, synchronize=lambda: None)',
    'clock = object.__new__(torch_peer.Clock)',
    'clock.torch = types.SimpleNamespace(cuda=cuda)',
    'clock.between = lambda once: torch_peer.STRETCH_SECONDS / 19.5',
    'args = types.SimpleNamespace(matmul_seconds=0, matmul_warm_up=0)',
    'figure = clock.sustained(lambda: None, 1.0, args)',
    'print(figure["n"], round(figure["rate"], 6), round(figure["median"], 3))',
  ].join('\n');
  const ran = await execa('python3', ['-I', '-B', '-c', program], { reject: false });
  if (ran.code === 'ENOENT') return context.skip('no python3 here');
  assert.equal(ran.stdout, '20 10000.0 13333.333', ran.stderr);
});

test('the library behind torch’s products is recorded with its version', async (context) => {
  const place = workPlace();
  const library = join(place, 'libcublasLt.so.13');
  const source =
    'extern "C" int cublasLtGetProperty(int which, int* value) { *value = which == 0 ? 13 : which; return 0; }';
  await execa('g++', ['-shared', '-fPIC', '-x', 'c++', '-', '-o', library], { input: source });
  const program = [
    'import ctypes, json, sys',
    `sys.path.insert(0, ${JSON.stringify(deviceFolder)})`,
    'import torch_peer',
    `before = torch_peer.matrix_library(); ctypes.CDLL(${JSON.stringify(library)})`,
    'print(json.dumps([before, torch_peer.matrix_library()]))',
  ].join('\n');
  const ran = await execa('python3', ['-I', '-B', '-c', program], { reject: false });
  if (ran.code === 'ENOENT') return context.skip('no python3 here');
  assert.deepEqual(JSON.parse(ran.stdout), [null, { path: library, version: '13.1.2' }], ran.stderr);
});
