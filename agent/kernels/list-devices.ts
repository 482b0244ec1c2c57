import { runRunner } from './run-runner.ts';
import type { DeviceEvent } from './runner-events.ts';

/** Loading a GPU driver that has gone to sleep can take several seconds per card. */
const listDeadlineSeconds = 60;

/**
 * Every device of every backend, usable or not; a backend without one gives an entry that says why.
 * @throws RunnerError
 */
export async function listDevices(runnerPath: string, cancelSignal?: AbortSignal): Promise<DeviceEvent[]> {
  const devices: DeviceEvent[] = [];
  const request = { path: runnerPath, args: ['--list'], deadline_seconds: listDeadlineSeconds };
  for await (const event of runRunner(
    cancelSignal === undefined ? request : { ...request, cancel_signal: cancelSignal },
  )) {
    if (event.event === 'device') devices.push(event);
  }
  return devices;
}
