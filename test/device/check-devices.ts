import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DeviceEvent } from '../../agent/kernels/runner-events.ts';
import { readRunnerVersion } from '../../agent/kernels/runner-version.ts';
import type { CheckContext } from './check-context.ts';
import { findWrong } from './find-wrong.ts';
import { hostFacts } from './host-facts.ts';
import { judgeEnergy } from './judge-energy.ts';
import { judgeFigures } from './judge-figures.ts';
import { judgeNode } from './judge-node.ts';
import { type JudgedRow, type Verdict } from './judged-row.ts';
import { measureRounds, type Round } from './measure-rounds.ts';
import { driverOf } from './results-file.ts';
import { recordRun, type RunnerRecord } from './runner-record.ts';

export interface CheckedDevice {
  device: DeviceEvent;
  rows: JudgedRow[];
}

/** Everything that was measured and what was made of it, as it is written to the file. */
export type CheckDocument = Awaited<ReturnType<typeof checkDevices>>;

/** Self-tests, rounds, judgement. Does not write. */
export async function checkDevices(
  context: CheckContext,
  gpus: readonly DeviceEvent[],
  commandLine: readonly string[],
) {
  const date = context.clock.now().toISOString();
  const runner = {
    ...(await readRunnerVersion(context.runner_path)),
    sha256: createHash('sha256').update(readFileSync(context.runner_path)).digest('hex'),
  };
  const selfTests: RunnerRecord[] = [];
  for (const gpu of gpus) {
    context.say(`self-test: ${gpu.name} ${gpu.device_id}`);
    selfTests.push(await recordRun(context, ['self-test', '--device', gpu.device_id]));
  }
  const rounds = await measureRounds(context, gpus);
  const devices = gpus.map((gpu) => checked(asItRan(gpu, rounds), rounds));
  const node = judgeNode(gpus, selfTests, rounds, context.options.time_scale);
  const wrong = findWrong(selfTests, rounds);
  const counts = countVerdicts([...devices.flatMap((device) => device.rows), ...node]);
  return {
    schema: 'gpumark.device-check/1',
    simulated: gpus.some((gpu) => gpu.simulated),
    date,
    exit_code: exitCodeOf(wrong, counts, [
      ...selfTests,
      ...rounds.flatMap((round) => round.turns.map((turn) => turn.run)),
    ]),
    verdicts: counts,
    wrong,
    cards: devices.map(({ device }) => ({
      card: device.name,
      device_id: device.device_id,
      driver: driverOf(device),
      image: typeof device.attributes['image'] === 'string' ? device.attributes['image'] : null,
      device,
    })),
    runner,
    host: hostFacts(),
    command: commandLine,
    options: { rounds: context.options.rounds, time_scale: context.options.time_scale },
    devices: devices.map(({ device, rows }) => ({ device_id: device.device_id, rows })),
    node,
    self_tests: selfTests,
    rounds,
  };
}

function checked(device: DeviceEvent, rounds: readonly Round[]): CheckedDevice {
  const turns = rounds.flatMap((round) => round.turns.filter((turn) => turn.device_id === device.device_id));
  return { device, rows: [...judgeFigures(device, turns), judgeEnergy(device.device_id, turns)] };
}

/** The last that a run said of the card: by then it knows which image the driver took. */
function asItRan(gpu: DeviceEvent, rounds: readonly Round[]): DeviceEvent {
  const said = rounds.flatMap((round) => round.turns.flatMap((turn) => turn.run.devices));
  return said.findLast((device) => device.device_id === gpu.device_id) ?? gpu;
}

function countVerdicts(rows: readonly JudgedRow[]): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { ok: 0, MISSED: 0, 'no peer': 0, skipped: 0 };
  for (const { verdict } of rows.flatMap((row) => row.checks)) counts[verdict] += 1;
  return counts;
}

function exitCodeOf(wrong: readonly string[], counts: Record<Verdict, number>, runs: readonly RunnerRecord[]): number {
  if (wrong.length > 0) return 6;
  // Listed, but every process found it taken or gone: nothing was measured.
  if (runs.length > 0 && runs.every((run) => run.exit_code === 5)) return 5;
  if (counts.MISSED > 0) return 1;
  return counts['no peer'] + counts.skipped > 0 ? 7 : 0;
}
