import { MOST_POINTS } from '../../coordinator/contract/sensor-series.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';
import { collectRun, runOf, withoutTrouble } from './collect-run.ts';
import type { CollectedRun, RunnerSetting } from './collect-run.ts';
import { measureInPieces, type Resumption } from './measure-in-pieces.ts';
import { showRunnerEvent } from './show-runner-event.ts';

export interface AloneRun {
  device: DeviceEvent;
  run: CollectedRun;
  /** False if the run was stopped before this device. */
  reached: boolean;
}

/**
 * Measures the devices one after the other, each alone. A failed device does not stop the others.
 * @param onShare called with 0 to 1 over all devices
 */
export async function measureAlone(
  setting: RunnerSetting,
  devices: readonly DeviceEvent[],
  timeScale: number,
  resumption: Resumption | null,
  emit: Emit,
  onShare: (share: number) => void,
): Promise<AloneRun[]> {
  const runs: AloneRun[] = [];
  for (const [index, device] of devices.entries()) {
    const share = (inner: number): void => onShare((index + inner) / devices.length);
    if (setting.signal.aborted && !isJournaled(resumption, device)) {
      runs.push({ device, run: withoutTrouble([]), reached: false });
      continue;
    }
    if (resumption === null) {
      runs.push({ device, run: await measureDevice(setting, device, timeScale, emit, share), reached: true });
    } else {
      const onPiece = (done: number, all: number): void => share(done / all);
      const [run = withoutTrouble([])] = await measureInPieces(setting, [device], 0, resumption, emit, onPiece);
      runs.push({ device, run, reached: true });
    }
  }
  return runs;
}

/** Pieces of an earlier run are shown even if this one was stopped before it reached the device. */
const isJournaled = (resumption: Resumption | null, device: DeviceEvent): boolean =>
  resumption !== null && resumption.journal.holds(device.device_id);

async function measureDevice(
  setting: RunnerSetting,
  device: DeviceEvent,
  timeScale: number,
  emit: Emit,
  onShare: (share: number) => void,
): Promise<CollectedRun> {
  const onEvent = (event: RunnerEvent): void => {
    showRunnerEvent(event, emit, [device]);
    if (event.event === 'phase') onShare((event.index + (event.state === 'end' ? 1 : 0)) / event.count);
  };
  return await collectRun(setting, runOf([device], setting), timeScale, onEvent, MOST_POINTS);
}
