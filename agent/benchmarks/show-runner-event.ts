import { figureOf } from '../kernels/figure-of.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';

/**
 * Emits the part of a runner's event that people and `--json` readers see. Single samples are only in the runner's
 * statistics.
 * @param devices those of the run whose results are figures; a run of several measures them all at once, so that a phase is
 * common to all, except in a device's turn
 */
export function showRunnerEvent(event: RunnerEvent, emit: Emit, devices: readonly DeviceEvent[]): void {
  if (event.event === 'phase') {
    const { device_id, benchmark, state, expected_seconds, index, count, turn } = event;
    const scope = devices.length !== 1 && turn !== true ? ({ together: true } as const) : {};
    emit({ type: 'phase', device_id, benchmark, state, expected_seconds, index, count, ...scope });
  } else if (event.event === 'result') {
    const device = devices.find((one) => one.device_id === event.device_id);
    if (device !== undefined) emit({ type: 'result', device_id: event.device_id, ...figureOf(device, event) });
  } else if (event.event === 'telemetry') {
    const { device_id, power_watts, temperature_celsius, clock_mhz } = event;
    emit({ type: 'telemetry', device_id, power_watts, temperature_celsius, clock_mhz });
  } else if (event.event === 'error' && event.code !== 'interrupted') {
    emit({ type: 'notice', level: 'error', message: ofDevice(event.device_id, event.message), remedy: event.remedy });
  }
}

/** Prefixes a sentence with its device, unless it already begins with it. */
export const ofDevice = (deviceId: string | null, sentence: string): string =>
  deviceId === null || sentence.startsWith(deviceId) ? sentence : `${deviceId}: ${sentence}`;
