import { ExitError } from '../run/exit-error.ts';
import type { DeviceEvent } from '../kernels/runner-events.ts';
import { selfTest } from '../kernels/self-test.ts';
import type { Emit } from '../run/run-event.ts';
import { withRunner } from './runner-failure.ts';

/** The runner's self-test on each device. @throws ExitError kernel if a kernel is wrong */
export async function verifyRunner(runnerPath: string, devices: DeviceEvent[], emit: Emit): Promise<void> {
  for (const { device_id } of devices) {
    const outcome = await withRunner(() => selfTest(runnerPath, device_id));
    if (!outcome.passed) {
      throw new ExitError(
        'kernel',
        `${device_id}: the self-test failed: ${outcome.problems.join('; ')}`,
        'Suspect memory, processor or card; measure nothing on it until it passes.',
      );
    }
    emit({ type: 'step', step: 'setup', state: 'done', message: `${device_id}: self-test passed` });
  }
}
