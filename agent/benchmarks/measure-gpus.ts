import type { BandwidthCell } from '../../coordinator/contract/bandwidth-matrix.ts';
import { MOST_POINTS } from '../../coordinator/contract/sensor-series.ts';
import type { CellEvent, DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';
import { collectRun, runOf, type CollectedRun, type RunnerSetting, withoutTrouble } from './collect-run.ts';
import { judgeCells } from './judge-cells.ts';
import { measureAlone, type AloneRun } from './measure-alone.ts';
import { measureInPieces, type Resumption, SPANNING } from './measure-in-pieces.ts';
import { measureMatrix } from './measure-matrix.ts';
import { measureTurns, type TogetherFigure } from './measure-turns.ts';
import { mergePieces } from './merge-pieces.ts';
import { planNode, type NodePlan } from './plan-node.ts';
import { runOfDevice } from './run-of-device.ts';
import { showRunnerEvent } from './show-runner-event.ts';

export interface GpusRun {
  /** In the order of the devices. */
  runs: AloneRun[];
  /** device id -> metric -> figure */
  together: Map<string, Record<string, TogetherFigure>>;
  /** Null if no matrix was measured. */
  cells: BandwidthCell[] | null;
  warnings: string[];
  failures: string[];
}

type Setting = RunnerSetting & { emit: Emit };

/**
 * Measures all GPUs at once, then each alone in turn, then the copies between those of one backend. A card that fails is left
 * out of the rest; if the runner breaks while all work, each card has a run of its own instead.
 * @param whole the plan of the node with all of its devices
 * @param onShare called with 0 to 1 over all parts
 */
export async function measureGpus(
  setting: Setting,
  devices: readonly DeviceEvent[],
  whole: NodePlan,
  resumption: Resumption | null,
  onShare: (share: number) => void,
): Promise<GpusRun> {
  const result: GpusRun = { runs: [], together: new Map(), cells: null, warnings: [], failures: [] };
  const copying = whole.matrices.reduce((sum, matrix) => sum + matrix.seconds, 0);
  const [first, second] = [whole.together?.seconds ?? 0, whole.turns?.seconds ?? 0];
  const total = first + second + copying;
  const broke = await allTogether(setting, devices, whole, resumption, result, (share) =>
    onShare((share * first) / total),
  );
  if (broke !== null) {
    result.warnings.push(`all GPUs together: ${broke}; each was measured alone`);
    result.runs = await measureAlone(setting, devices, whole.alone.time_scale, null, setting.emit, (share) =>
      onShare((share * first) / total),
    );
  }
  const fit = result.runs.filter(isFit).map(({ device }) => device);
  // The time of a card that dropped out is divided among the others.
  const plan = fit.length === devices.length || fit.length < 2 ? whole : planOf(setting, fit);
  if (broke === null && fit.length > 0 && plan.turns !== null && !setting.signal.aborted)
    await inTurns(setting, fit, plan.turns, result);
  onShare((first + second) / total);
  const left = result.runs.filter(isFit).map(({ device }) => device);
  const matrices = left.length === devices.length ? whole.matrices : planOf(setting, left).matrices;
  let spent = first + second;
  for (const matrix of matrices) {
    if (setting.signal.aborted) break;
    await copies(setting, devices, matrix, result, (share) =>
      onShare(Math.min(1, (spent + share * matrix.seconds) / total)),
    );
    spent += matrix.seconds;
  }
  return result;
}

const planOf = (setting: Setting, devices: readonly DeviceEvent[]): NodePlan =>
  planNode(setting.tier, devices, setting.max_seconds);

/** A card without any figure (all absent) has nothing to compare with. */
function isFit({ run, reached }: AloneRun): boolean {
  const hasFigure = run.events.some((event) => event.event === 'result' && event.value !== null);
  return reached && run.state === 'ok' && hasFigure;
}

const idsOf = (devices: readonly DeviceEvent[]): string[] => devices.map((device) => device.device_id);

/** @returns why the runner broke, if no device was measured because of it; null otherwise */
async function allTogether(
  setting: Setting,
  devices: readonly DeviceEvent[],
  { together, swings }: NodePlan,
  resumption: Resumption | null,
  result: GpusRun,
  onShare: (share: number) => void,
): Promise<string | null> {
  if (together === null) return null;
  const stage = { type: 'stage', stage: 'together', device_ids: idsOf(devices), count: null } as const;
  setting.emit({ ...stage, state: 'start', expected_seconds: together.seconds });
  let broke: string | null = null;
  if (resumption !== null) {
    const onPiece = (done: number, all: number): void => onShare(done / all);
    const runs = await measureInPieces(setting, devices, swings, resumption, setting.emit, onPiece);
    result.runs = devices.map((device, index) => reachedRun(device, runs[index] ?? withoutTrouble([])));
  } else {
    const run = setting.signal.aborted
      ? withoutTrouble([])
      : await measureTogether(setting, devices, together, setting.emit, onShare);
    const hasEnded = run.events.some((event) => event.event === 'summary');
    if (run.state === 'broken' && !hasEnded && !setting.signal.aborted) broke = run.words ?? 'the runner failed';
    result.runs = devices.map((device) => reachedRun(device, runOfDevice(run, device.device_id)));
  }
  setting.emit({ ...stage, state: 'end', expected_seconds: 0 });
  return broke;
}

/**
 * Measures all `devices` at once, in one process with a barrier before each benchmark.
 * @param onShare called with 0 to 1
 */
async function measureTogether(
  setting: RunnerSetting,
  devices: readonly DeviceEvent[],
  { benchmarks, time_scale }: NonNullable<NodePlan['together']>,
  emit: Emit,
  onShare: (share: number) => void,
): Promise<CollectedRun> {
  const args = [...runOf(devices, setting), '--benchmarks', [...benchmarks, ...SPANNING].join(',')];
  const onEvent = (event: RunnerEvent): void => {
    showRunnerEvent(event, emit, devices);
    if (event.event === 'phase' && event.state === 'end') onShare((event.index + 1) / event.count);
  };
  return await collectRun(setting, args, time_scale, onEvent, MOST_POINTS);
}

const reachedRun = (device: DeviceEvent, run: CollectedRun): AloneRun => ({
  device,
  run,
  reached: run.events.length > 0 || run.state !== 'ok',
});

async function inTurns(
  setting: Setting,
  devices: readonly DeviceEvent[],
  plan: NonNullable<NodePlan['turns']>,
  result: GpusRun,
): Promise<void> {
  const stage = { type: 'stage', stage: 'turns', device_ids: idsOf(devices), count: null } as const;
  setting.emit({ ...stage, state: 'start', expected_seconds: plan.seconds });
  const before = new Map(result.runs.map(({ device, run }) => [device.device_id, run.events]));
  const { runs, figures } = await measureTurns(setting, devices, plan, before, setting.emit);
  setting.emit({ ...stage, state: 'end', expected_seconds: 0 });
  result.together = figures;
  result.runs = result.runs.map((one) => {
    const later = runs.get(one.device.device_id);
    return later === undefined ? one : { ...one, run: bothParts(one.run, later) };
  });
}

const bothParts = (first: CollectedRun, second: CollectedRun): CollectedRun => ({
  ...second,
  events: mergePieces([first.events, second.events]),
  errors: [...first.errors, ...second.errors],
});

async function copies(
  setting: Setting,
  devices: readonly DeviceEvent[],
  plan: NodePlan['matrices'][number],
  result: GpusRun,
  onShare: (share: number) => void,
): Promise<void> {
  const { device_ids, cells: count } = plan;
  const stage = { type: 'stage', stage: 'matrix', device_ids, count } as const;
  setting.emit({ ...stage, state: 'start', expected_seconds: plan.seconds });
  let seen = 0;
  const { run, cells } = await measureMatrix(setting, device_ids, plan.time_scale, setting.emit, () => {
    seen += 1;
    onShare(Math.min(1, seen / count));
  });
  setting.emit({ ...stage, state: 'end', expected_seconds: 0 });
  tell(run, cells, result);
  // If the runner reported no pair, there is no matrix, only the reason.
  if (cells.length === 0) return;
  const judged = judgeCells(
    devices.filter(({ device_id }) => device_ids.includes(device_id)),
    cells,
    setting.signal.aborted ? 'the run was stopped' : (run.words ?? undefined),
  );
  result.cells = [...(result.cells ?? []), ...judged];
}

/**
 * Each card's own figures stay valid whatever happens here; only a wrong result fails the run. What a cell says itself is a finding
 * of that cell, and no warning of the run.
 */
function tell(run: CollectedRun, cells: readonly CellEvent[], result: GpusRun): void {
  if (run.state === 'ok') return;
  const words = `GPU x GPU copies: ${run.words ?? 'failed'}`;
  const reasons = cells.flatMap(({ simplex_gbs, verified, reason }) =>
    reason !== null && (simplex_gbs === null || verified === false) ? [reason] : [],
  );
  const isTold = run.errors.every(({ message }) => reasons.some((reason) => message.includes(reason)));
  if (run.remedy !== null || reasons.length === 0 || !isTold) result.warnings.push(words);
  const isWrong = run.events.some((event) => event.event === 'summary' && event.exit_code === 6);
  if (isWrong) result.failures.push(words);
}
