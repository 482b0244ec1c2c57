import { benchmarks } from '../kernels/registry.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';
import type { Tier } from '../run/run-options.ts';
import { collectRun, runOf, withoutTrouble } from './collect-run.ts';
import type { CollectedRun, RunnerSetting } from './collect-run.ts';
import { mergePieces } from './merge-pieces.ts';
import { runOfDevice } from './run-of-device.ts';
import { showRunnerEvent } from './show-runner-event.ts';
import type { SoakJournal } from './soak-journal.ts';

/** What a soak needs to resume later. */
export interface Resumption {
  journal: SoakJournal;
  now: () => number;
}

/** The pieces of a soak, one per benchmark, in the runner's order. */
export const SOAK_PIECES: readonly string[] = benchmarks.filter(({ spans }) => !spans).map(({ id }) => id);
/** Benchmarks that span others, measured with each piece. */
export const SPANNING = benchmarks.filter(({ spans }) => spans).map(({ id }) => id);

/** Sensor readings kept per piece: with 64 devices that is 5 MiB of the journal's 64. */
const POINTS_OF_PIECE = 20;

const SWINGS_PIECE = 'swings';
/** Its work is compared bit for bit, so that what a swing damages is found. */
const LOAD = 'repeat';

/**
 * A soak of all devices at once, one runner process per benchmark, and one for the swings of several devices. Pieces in the
 * journal are shown and not measured again; a piece that was stopped, or in which the device failed, is not recorded. A device
 * that fails is left out of the pieces that follow.
 * @param swings how often all begin and end a load together, after the benchmarks
 * @param onPiece called with how many pieces are done
 * @returns one run per device, in their order
 */
export async function measureInPieces(
  setting: RunnerSetting,
  devices: readonly DeviceEvent[],
  swings: number,
  { journal, now }: Resumption,
  emit: Emit,
  onPiece: (done: number, all: number) => void,
): Promise<CollectedRun[]> {
  const runs = new Map<DeviceEvent, CollectedRun[]>(devices.map((device) => [device, []]));
  const failed = new Set<DeviceEvent>();
  const pieces = [
    ...SOAK_PIECES.map((id) => ({ id, args: ['--benchmarks', [id, ...SPANNING].join(',')], tier: setting.tier })),
    ...(swings > 0 ? [swingsPiece(swings, SPANNING)] : []),
  ];
  for (const [index, { id, args, tier }] of pieces.entries()) {
    const working = devices.filter((device) => !failed.has(device));
    const open = working.filter((device) => {
      const before = journal.finished(device.device_id, id);
      for (const event of before ?? []) if (event.event !== 'telemetry') showRunnerEvent(event, emit, [device]);
      if (before !== null) runs.get(device)?.push(withoutTrouble(before));
      return before === null;
    });
    if (open.length > 0) {
      if (setting.signal.aborted) break;
      const isShown = (event: RunnerEvent): boolean => event.event !== 'result' || tier === setting.tier;
      const show = (event: RunnerEvent): void => {
        if (isShown(event)) showRunnerEvent(event, emit, open);
      };
      const run = await collectRun({ ...setting, tier }, [...runOf(open, setting), ...args], 1, show, POINTS_OF_PIECE);
      for (const device of open) {
        const one = withoutSwings(id, runOfDevice(run, device.device_id), swings);
        runs.get(device)?.push(one);
        if (one.state !== 'ok') failed.add(device);
        else if (!setting.signal.aborted) keep(journal, device, id, one.events, now, emit);
      }
      if (setting.signal.aborted) break;
    }
    if (failed.size < devices.length) onPiece(index + 1, pieces.length);
  }
  return devices.map((device) => whole(runs.get(device) ?? []));
}

function whole(runs: readonly CollectedRun[]): CollectedRun {
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

/**
 * The piece of a soak in which all devices begin and end a load together, again and again: the node's power swings between idle
 * and full as at the steps of a training run.
 */
const swingsPiece = (swings: number, spanning: readonly string[]): { id: string; args: string[]; tier: Tier } => ({
  id: SWINGS_PIECE,
  args: ['--benchmarks', [LOAD, ...spanning].join(','), '--swings', String(swings)],
  tier: 'quick',
});

/**
 * The figures of the load are the soak's own, which measured it for longer: of the swings only what failed its check is kept,
 * and in the details of the temperature how many there were and what the sensors said.
 */
function withoutSwings(piece: string, run: CollectedRun, swings: number): CollectedRun {
  if (piece !== SWINGS_PIECE) return run;
  const events = run.events.flatMap((event): RunnerEvent[] => {
    if (event.event !== 'result') return [event];
    if (event.benchmark === LOAD) return event.verified === false ? [event] : [];
    if (event.metric !== 'temperature_centigrade') return [event];
    return [{ ...event, details: { ...event.details, swings: { ...event.details, count: swings } } }];
  });
  return { ...run, events };
}
