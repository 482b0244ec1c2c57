import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../../coordinator/platform/log.ts';
import { runPeriodically } from '../../../coordinator/platform/periodic.ts';

const lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push(line) });
const common = { name: 'test', everyMs: 1, log, randomBytes: () => Buffer.of(128) };

test('runs never overlap, and a failed run is logged and followed by the next', async () => {
  let running = 0;
  let runs = 0;
  const enough = Promise.withResolvers<void>();
  const work = async () => {
    running += 1;
    assert.equal(running, 1);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    runs += 1;
    if (runs === 5) enough.resolve();
    if (runs === 2) throw new Error('the second run fails');
  };
  const periodic = runPeriodically({ ...common, work });
  await enough.promise;
  await periodic.stop();
  assert(lines.some((line) => line.includes('the second run fails')));
});

test('stop waits for the run under way and lets no other begin', async () => {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let runs = 0;
  const work = async () => {
    runs += 1;
    begun.resolve();
    await release.promise;
  };
  const periodic = runPeriodically({ ...common, work });
  await begun.promise;
  let stopped = false;
  const stopping = periodic.stop().then(() => (stopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(stopped, false);
  release.resolve();
  await stopping;
  assert.equal(runs, 1);
});
