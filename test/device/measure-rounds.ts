import { planNode } from '../../agent/benchmarks/plan-node.ts';
import { benchmarks } from '../../agent/kernels/registry.ts';
import type { DeviceEvent } from '../../agent/kernels/runner-events.ts';
import type { CheckContext } from './check-context.ts';
import { type MeasuredSizes, measuredSizes } from './measured-sizes.ts';
import type { PeerRecord } from './peer-figure.ts';
import { readNvidiaSmi, type SmiReading } from './read-nvidia-smi.ts';
import { runNvbandwidth } from './run-nvbandwidth.ts';
import { runTorch } from './run-torch.ts';
import { recordRun, type RunnerRecord } from './runner-record.ts';

/** One device alone in one round: the runner and its peers, one after the other. */
export interface Turn {
  device_id: string;
  first: 'runner' | 'peers';
  run: RunnerRecord;
  peers: PeerRecord[];
  nvidia_smi: { before: SmiReading | null; after: SmiReading | null };
}

export interface Round {
  round: number;
  turns: Turn[];
  /** all devices at once; null if there is one */
  together: RunnerRecord | null;
  /** copies between the devices, one run per backend */
  matrices: RunnerRecord[];
}

/** What may differ with all devices at work. */
const AT_ONCE = benchmarks.flatMap(({ id, turn_seconds }) => (turn_seconds > 0 ? [id] : [])).join(',');
/** The runner's least. */
const timeScaleMin = 0.02;

/**
 * Every round measures every device alone, each for as long as a single one in the quick tier, then all at once, then the
 * copies between them. Who goes first changes with the round, so that a card that warms up favours nobody.
 */
export async function measureRounds(context: CheckContext, devices: readonly DeviceEvent[]): Promise<Round[]> {
  const plan = planNode('quick', devices);
  const scale = (planned: number): string => String(Math.max(timeScaleMin, planned * context.options.time_scale));
  const sizes = new Map<string, MeasuredSizes>();
  const rounds: Round[] = [];
  for (let round = 1; round <= context.options.rounds; round += 1) {
    const turns: Turn[] = [];
    for (const device of devices) {
      context.say(`round ${round} of ${context.options.rounds}: ${device.name} ${device.device_id}`);
      turns.push(await takeTurn(context, device, round, scale(1), sizes));
    }
    const ids = devices.map((device) => device.device_id).join(',');
    const together =
      plan.together === null
        ? null
        : await recordRun(context, [
            'run',
            '--device',
            ids,
            '--benchmarks',
            AT_ONCE,
            '--time-scale',
            scale(plan.together.time_scale),
          ]);
    const matrices: RunnerRecord[] = [];
    for (const matrix of plan.matrices) {
      const device = matrix.device_ids.join(',');
      matrices.push(await recordRun(context, ['matrix', '--device', device, '--time-scale', scale(matrix.time_scale)]));
    }
    rounds.push({ round, turns, together, matrices });
  }
  return rounds;
}

async function takeTurn(
  context: CheckContext,
  device: DeviceEvent,
  round: number,
  timeScale: string,
  known: Map<string, MeasuredSizes>,
): Promise<Turn> {
  const { device_id } = device;
  const before = await readNvidiaSmi(context, device);
  const own = async (): Promise<RunnerRecord> =>
    recordRun(context, ['run', '--device', device_id, '--tier', 'quick', '--time-scale', timeScale]);
  const peers = async (sizes: MeasuredSizes): Promise<PeerRecord[]> => {
    const torch = await runTorch(context, device, sizes);
    const nvbandwidth = await runNvbandwidth(context, device, sizes);
    return nvbandwidth === null ? [torch] : [torch, nvbandwidth];
  };
  const earlier = round % 2 === 0 ? known.get(device_id) : undefined;
  if (earlier !== undefined) {
    const theirs = await peers(earlier);
    const run = await own();
    return {
      device_id,
      first: 'peers',
      run,
      peers: theirs,
      nvidia_smi: { before, after: await readNvidiaSmi(context, device) },
    };
  }
  const run = await own();
  const sizes = measuredSizes(run.results, device_id);
  known.set(device_id, sizes);
  const theirs = await peers(sizes);
  return {
    device_id,
    first: 'runner',
    run,
    peers: theirs,
    nvidia_smi: { before, after: await readNvidiaSmi(context, device) },
  };
}
