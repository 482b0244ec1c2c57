import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectRun } from '../../../agent/benchmarks/collect-run.ts';

test('the runner yields to all others: it has a low priority and is the first to end if memory runs out', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-yields-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'runner');
  const summary = {
    schema: 'gpumark.native/1',
    t_ms: 1,
    event: 'summary',
    exit_code: 0,
    seconds: 1,
    contended: false,
    contention_ratio: null,
  };
  // Waits until it is so, since the agent says it to a runner that has begun. Field 19 of stat is the nice value (proc_pid_stat(5)).
  const said = '[ "$(cut -d " " -f 19 /proc/$$/stat)" -ge 5 ] && [ "$(cat /proc/$$/oom_score_adj)" = 1000 ]';
  writeFileSync(path, `#!/bin/sh\nuntil ${said}; do sleep 0.01; done\necho '${JSON.stringify(summary)}'\n`);
  chmodSync(path, 0o755);
  const setting = {
    runner_path: path,
    tier: 'quick',
    engine: 'auto',
    max_seconds: null,
    signal: AbortSignal.timeout(200_000),
    onStart: () => undefined,
  } as const;
  const { state, events } = await collectRun(setting, ['run'], 1, () => undefined);
  assert.deepEqual([state, events.map(({ event }) => event)], ['ok', ['summary']]);
});
