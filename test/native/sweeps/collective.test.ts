import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CollectiveMeasured } from '../../../agent/links/collective/collective-events.ts';
import { type CollectiveNodeRun, runCollectiveJob } from '../support/collective-job.ts';

const MiB = 1 << 20;

function figuresOf(run: CollectiveNodeRun | undefined): CollectiveMeasured {
  assert.ok(run?.measured, run?.error?.message ?? 'no figures');
  assert.equal(run.exitCode, 0);
  return run.measured;
}

/** nccl-tests, doc/PERFORMANCE.md: 2 (n - 1) / n of an all-reduce over n ranks, 1 of a broadcast. */
const factor = { all_reduce: (n: number) => (2 * (n - 1)) / n, broadcast: () => 1 };

for (const { nodes, devices } of [
  { nodes: 1, devices: 2 },
  { nodes: 2, devices: 1 },
  { nodes: 2, devices: 2 },
  { nodes: 4, devices: 1 },
]) {
  test(`${nodes} nodes of ${devices} devices sum and copy correctly, and all nodes report the same`, async () => {
    const runs = await runCollectiveJob({ nodes, devices });
    const first = figuresOf(runs[0]);
    assert.equal(first.ranks, nodes * devices);
    assert.equal(first.nodes, nodes);
    assert.equal(first.verified, true);
    assert.equal(first.simulated, true);
    for (const run of runs) assert.deepEqual({ ...figuresOf(run) }, first);
    for (const kind of ['all_reduce', 'broadcast'] as const) {
      // Two buffers in two fifths of 32 MiB each: 1 and 4 MiB fit, 16 do not.
      assert.deepEqual(
        first[kind].map(({ bytes }) => bytes),
        [MiB, 4 * MiB],
      );
      for (const one of first[kind]) {
        const algorithm = one.bytes / one.seconds / 1e9;
        assert.ok(Math.abs(one.algorithm_gbs / algorithm - 1) < 1e-6);
        assert.equal(one.held_until_enqueued, true, 'independent of the host’s speed');
        assert.ok(Math.abs(one.bus_gbs / (algorithm * factor[kind](nodes * devices)) - 1) < 1e-6);
      }
    }
    assert.equal(first.limited_by, 'memory');
  });
}

test('RCCL is measured on AMD devices', async () => {
  const [run] = await runCollectiveJob({ vendor: 'amd', nodes: 2 });
  assert.equal(figuresOf(run).library, 'rccl');
});

test('times are those of the library’s operations', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-collective-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const log = join(folder, 'log');
  const gbs = 0.05;
  const [run] = await runCollectiveJob({
    nodes: 2,
    sim: { COLLECTIVE_GBS: String(gbs), COLLECTIVE_LOG: log },
    args: ['--max-memory-bytes', String(8 * MiB)],
  });
  const measured = figuresOf(run);
  const logged = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line): { kind: string; bytes: number; seconds: number } => JSON.parse(line));
  for (const kind of ['all_reduce', 'broadcast'] as const) {
    assert.equal(measured[kind].length, 2);
    for (const { bytes, seconds } of measured[kind]) {
      const taken = logged.filter((one) => one.kind === kind && one.bytes === bytes).map((one) => one.seconds);
      assert.ok(seconds >= bytes / (gbs * 1e9), `${bytes} bytes in ${seconds} s is faster than the library goes`);
      assert.ok(
        seconds >= Math.min(...taken) && seconds <= Math.max(...taken) * 1.1 + 2e-3,
        `${seconds} s of ${taken.join()}`,
      );
    }
  }
});

test('every node reports the slowest rank’s time', async () => {
  const runs = await runCollectiveJob({
    nodes: 3,
    sim: { COLLECTIVE_FAULT: 'slow@2:60' },
    args: ['--max-memory-bytes', String(2 * MiB)],
  });
  for (const run of runs) {
    const { all_reduce, broadcast } = figuresOf(run);
    assert.equal(all_reduce.length, 1);
    for (const one of [...all_reduce, ...broadcast]) assert.ok(one.seconds >= 0.06, `${one.seconds} s`);
  }
});

test('a library that waits for the device in its calls is measured all the same, and reported as host-bound on every node', async () => {
  const args = ['--max-memory-bytes', String(2 * MiB)];
  const runs = await runCollectiveJob({ nodes: 2, sim: { COLLECTIVE_FAULT: 'waits@1' }, args });
  for (const run of runs) {
    const { all_reduce, broadcast } = figuresOf(run);
    for (const one of [...all_reduce, ...broadcast]) assert.equal(one.held_until_enqueued, false);
    assert.equal(all_reduce.length, 1);
  }
});

test('a size that does not fit into the time left is not started', async () => {
  // Seven operations of each kind, of at least 150 ms, take about 2.1 s; four times that is more than half of what is
  // left of 12 s.
  const [run] = await runCollectiveJob({ nodes: 2, deadline_seconds: 12, sim: { COLLECTIVE_FAULT: 'slow@1:150' } });
  const measured = figuresOf(run);
  assert.equal(measured.limited_by, 'time');
  assert.deepEqual(
    measured.all_reduce.map(({ bytes }) => bytes),
    [MiB],
  );
});
