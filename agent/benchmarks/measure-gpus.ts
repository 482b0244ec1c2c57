import type { BandwidthCell } from '../../coordinator/contract/bandwidth-matrix.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';
import type { CollectedRun, RunnerSetting } from './collect-run.ts';
import { judgeCells } from './judge-cells.ts';
import type { AloneRun } from './measure-alone.ts';
import { measureMatrix } from './measure-matrix.ts';
import { measureTogether } from './measure-together.ts';
import type { TogetherFigure } from './measure-together.ts';
import { planNode } from './plan-node.ts';
import type { NodePlan } from './plan-node.ts';

/** Results that exist only with several GPUs. */
export interface GpusRun {
  /** device id -> metric -> figure */
  together: Map<string, Record<string, TogetherFigure>>;
  /** Null if no matrix was measured. */
  cells: BandwidthCell[] | null;
  warnings: string[];
  failures: string[];
}

type Setting = RunnerSetting & { emit: Emit };

/**
 * Measures all GPUs at once, then the copies between those of one backend. Only cards whose own run had no trouble
 * participate, and a card that fails here is left out of the rest.
 * @param whole the plan of the node with all of its devices
 * @param onShare called with 0 to 1 over these parts
 */
export async function measureGpus(
  setting: Setting,
  whole: NodePlan,
  alone: readonly AloneRun[],
  onShare: (share: number) => void,
): Promise<GpusRun> {
  const result: GpusRun = { together: new Map(), cells: null, warnings: [], failures: [] };
  let devices = alone.filter(isFit).map(({ device }) => device);
  // The time of a card that dropped out is divided among the others.
  const planWithout = (plan: NodePlan, lost: number): NodePlan =>
    lost === 0 ? plan : planNode(setting.tier, devices, setting.max_seconds);
  const plan = planWithout(whole, alone.filter(({ device }) => device.backend !== 'cpu').length - devices.length);
  let lost = 0;
  const total = (plan.together?.seconds ?? 0) + plan.matrices.reduce((sum, matrix) => sum + matrix.seconds, 0);
  let spent = 0;
  if (plan.together !== null && !setting.signal.aborted) {
    const ids = await allTogether(setting, devices, plan.together, alone, result);
    const left = devices.filter((device) => !ids.has(device.device_id));
    lost = devices.length - left.length;
    devices = left;
    spent += plan.together.seconds;
    onShare(spent / total);
  }
  for (const matrix of planWithout(plan, lost).matrices) {
    if (setting.signal.aborted) break;
    await copies(setting, matrix, result, (share) => onShare(Math.min(1, (spent + share * matrix.seconds) / total)));
    spent += matrix.seconds;
  }
  return result;
}

/** A card without any figure (all absent) has nothing to compare with. */
function isFit({ device, run, reached }: AloneRun): boolean {
  const hasFigure = run.events.some((event) => event.event === 'result' && event.value !== null);
  return device.backend !== 'cpu' && reached && run.state === 'ok' && hasFigure;
}

/** @returns ids of the devices that dropped out */
async function allTogether(
  setting: Setting,
  devices: readonly DeviceEvent[],
  plan: NonNullable<NodePlan['together']>,
  alone: readonly AloneRun[],
  result: GpusRun,
): Promise<Set<string>> {
  const device_ids = devices.map((device) => device.device_id);
  const stage = { type: 'stage', stage: 'together', device_ids, count: null } as const;
  setting.emit({ ...stage, state: 'start', expected_seconds: plan.seconds });
  const own = new Map<string, readonly RunnerEvent[]>(alone.map(({ device, run }) => [device.device_id, run.events]));
  const { run, figures } = await measureTogether(setting, devices, plan.time_scale, own, setting.emit);
  setting.emit({ ...stage, state: 'end', expected_seconds: 0 });
  result.together = figures;
  tell('all GPUs together', run, result);
  return new Set(run.errors.flatMap((error) => error.device_id ?? []));
}

async function copies(
  setting: Setting,
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
  tell('GPU x GPU copies', run, result);
  // If the runner reported no pair, there is no matrix, only the reason.
  if (cells.length === 0) return;
  const judged = judgeCells(
    device_ids,
    cells,
    setting.signal.aborted ? 'the run was stopped' : (run.words ?? undefined),
  );
  result.cells = [...(result.cells ?? []), ...judged.cells];
  result.warnings.push(...judged.warnings);
}

/** Each card's own figures stay valid whatever happens here; only a wrong result fails the run. */
function tell(part: string, run: CollectedRun, result: GpusRun): void {
  if (run.state === 'ok') return;
  const words = `${part}: ${run.words ?? 'failed'}`;
  result.warnings.push(words);
  const isWrong = run.events.some((event) => event.event === 'summary' && event.exit_code === 6);
  if (isWrong) result.failures.push(words);
}
