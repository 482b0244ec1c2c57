import { benchmarks } from '../kernels/registry.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';
import { collectRun, runOf, withoutTrouble } from './collect-run.ts';
import type { CollectedRun, RunnerSetting } from './collect-run.ts';
import { mergePieces } from './merge-pieces.ts';
import { showRunnerEvent } from './show-runner-event.ts';
import type { SoakJournal } from './soak-journal.ts';

/** The pieces of a soak, one per benchmark, in the runner's order. */
export const SOAK_PIECES: readonly string[] = benchmarks.filter(({ spans }) => !spans).map(({ id }) => id);
/** Benchmarks that span others, measured with each piece. */
const SPANNING = benchmarks.filter(({ spans }) => spans).map(({ id }) => id);

/** Sensor readings kept per piece: with 64 devices that is 5 MiB of the journal's 64. */
const POINTS_OF_PIECE = 20;

/**
 * One device's soak, one runner process per benchmark. Pieces in the journal are shown and not measured again; a piece
 * that was stopped, or in which the device failed, is not recorded.
 * @param onPiece called with how many pieces are done
 */
export async function measureInPieces(
  setting: RunnerSetting,
  device: DeviceEvent,
  journal: SoakJournal,
  now: () => number,
  emit: Emit,
  onPiece: (done: number, all: number) => void,
): Promise<CollectedRun> {
  const runs: CollectedRun[] = [];
  for (const [index, piece] of SOAK_PIECES.entries()) {
    const before = journal.finished(device.device_id, piece);
    if (before !== null) {
      for (const event of before) if (event.event !== 'telemetry') showRunnerEvent(event, emit, device);
      runs.push(withoutTrouble(before));
      onPiece(index + 1, SOAK_PIECES.length);
      continue;
    }
    if (setting.signal.aborted) break;
    const args = [...runOf(device.device_id, setting), '--benchmarks', [piece, ...SPANNING].join(',')];
    const show = (event: RunnerEvent): void => showRunnerEvent(event, emit, device);
    const run = await collectRun(setting, args, 1, show, POINTS_OF_PIECE);
    runs.push(run);
    if (setting.signal.aborted || run.state !== 'ok') break;
    keep(journal, device, piece, run.events, now, emit);
    onPiece(index + 1, SOAK_PIECES.length);
  }
  const last = runs.at(-1);
  return {
    events: mergePieces(runs.map((run) => run.events)),
    errors: runs.flatMap((run) => run.errors),
    state: last?.state ?? 'ok',
    words: last?.words ?? null,
    remedy: last?.remedy ?? null,
  };
}

function keep(
  journal: SoakJournal,
  device: DeviceEvent,
  piece: string,
  events: RunnerEvent[],
  now: () => number,
  emit: Emit,
): void {
  try {
    journal.record(device.device_id, piece, events, now());
  } catch (error) {
    const message = `the journal of this soak cannot be written (${error instanceof Error ? error.message : String(error)}): if it is stopped now, it starts over`;
    emit({ type: 'notice', level: 'warning', message, remedy: null });
  }
}
