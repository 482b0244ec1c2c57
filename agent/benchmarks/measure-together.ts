import { MOST_POINTS } from '../../coordinator/contract/sensor-series.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';
import { collectRun, runOf, type CollectedRun, type RunnerSetting } from './collect-run.ts';
import { SPANNING } from './measure-in-pieces.ts';
import type { NodePlan } from './plan-node.ts';
import { showRunnerEvent } from './show-runner-event.ts';

/**
 * Measures all `devices` at once, in one process with a barrier before each benchmark.
 * @param onShare called with 0 to 1
 */
export async function measureTogether(
  setting: RunnerSetting,
  devices: readonly DeviceEvent[],
  { benchmarks, time_scale }: NonNullable<NodePlan['together']>,
  emit: Emit,
  onShare: (share: number) => void,
): Promise<CollectedRun> {
  const ids = devices.map((device) => device.device_id);
  const args = [...runOf(ids, setting), '--benchmarks', [...benchmarks, ...SPANNING].join(',')];
  const onEvent = (event: RunnerEvent): void => {
    showRunnerEvent(event, emit, devices);
    if (event.event === 'phase' && event.state === 'end') onShare((event.index + 1) / event.count);
  };
  return await collectRun(setting, args, time_scale, onEvent, MOST_POINTS);
}
