import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ExitError } from '../../../agent/run/exit-error.ts';
import { verifyRunner } from '../../../agent/setup/prepare-machine.ts';
import { deviceEvent } from '../support/device-event.ts';

/** A runner whose self-test ends so, whatever the device. */
function runnerThat(t: TestContext, events: object[], exitCode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-self-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'runner');
  const all = [
    ...events,
    { event: 'summary', exit_code: exitCode, seconds: 0.1, contended: false, contention_ratio: null },
  ];
  const lines = all.map((event) => `${JSON.stringify({ schema: 'gpumark.native/1', t_ms: 1, ...event })}\n`).join('');
  writeFileSync(
    path,
    `#!${process.execPath}\nprocess.stdout.write(${JSON.stringify(lines)});process.exitCode=${exitCode};\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

const device = deviceEvent({ backend: 'cpu', vendor: 'cpu', device_id: 'cpu-0', name: 'cpu' });

test('a passed self-test is reported for each device', async (t) => {
  const said: unknown[] = [];
  await verifyRunner(runnerThat(t, [], 0), [device, { ...device, device_id: 'cpu-1' }], (event) => said.push(event));
  assert.deepEqual(
    said,
    ['cpu-0', 'cpu-1'].map((id) => ({
      type: 'step',
      step: 'setup',
      state: 'done',
      message: `${id}: self-test passed`,
    })),
  );
});

test('a failed one ends the set-up with the problem and the remedy', async (t) => {
  const wrong = {
    event: 'error',
    device_id: 'cpu-0',
    code: 'verification-failed',
    message: 'fp32 product is wrong in 3 places',
    remedy: '',
  };
  const said: unknown[] = [];
  await assert.rejects(
    verifyRunner(runnerThat(t, [wrong], 1), [device], (event) => said.push(event)),
    (error: unknown) => {
      assert.ok(error instanceof ExitError);
      assert.match(error.message, /cpu-0: the self-test failed: fp32 product is wrong in 3 places/);
      return true;
    },
  );
  assert.deepEqual(said, []);
});
