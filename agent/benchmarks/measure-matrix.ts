import type { CellEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';
import { collectRun } from './collect-run.ts';
import type { CollectedRun, RunnerSetting } from './collect-run.ts';
import { showRunnerEvent } from './show-runner-event.ts';

interface MatrixRun {
  run: CollectedRun;
  /** In the runner's order, each pair once. */
  cells: CellEvent[];
}

/** Copies between every ordered pair of `deviceIds`, which are of one backend. */
export async function measureMatrix(
  setting: RunnerSetting,
  deviceIds: readonly string[],
  timeScale: number,
  emit: Emit,
  onCell: () => void,
): Promise<MatrixRun> {
  const known = new Set(deviceIds);
  const cells = new Map<string, CellEvent>();
  const run = await collectRun(setting, ['matrix', '--device', deviceIds.join(',')], timeScale, (event) => {
    if (event.event !== 'cell') {
      showRunnerEvent(event, emit, []);
      return;
    }
    const { source_device_id, target_device_id, connection_type, peer_access, reason } = event;
    if (source_device_id === target_device_id || !known.has(source_device_id) || !known.has(target_device_id)) return;
    cells.set(`${source_device_id}\n${target_device_id}`, event);
    const { simplex_gbs, duplex_gbs } = event.verified === false ? { simplex_gbs: null, duplex_gbs: null } : event;
    emit({
      type: 'cell',
      source_device_id,
      target_device_id,
      connection_type,
      peer_access,
      simplex_gbs,
      duplex_gbs,
      reason,
    });
    onCell();
  });
  return { run, cells: [...cells.values()] };
}
