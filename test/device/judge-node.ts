import type { DeviceEvent } from '../../agent/kernels/runner-events.ts';
import { figures } from './figures.ts';
import { overRounds } from './judge-figures.ts';
import { check, type JudgedRow } from './judged-row.ts';
import type { Round } from './measure-rounds.ts';
import { readFigure } from './read-figure.ts';
import type { RunnerRecord } from './runner-record.ts';

const quickTierSeconds = 60;

const bare = (id: string, label: string, unit: string, rounds: (number | null)[]): JudgedRow => ({
  ...overRounds(rounds),
  id,
  label,
  unit,
  reason: null,
  n: null,
  cv_worst: null,
  peer: null,
  ratio: null,
  checks: [],
});

/** The whole machine's lines: self-tests, the quick tier's time, all devices at once, and the copies between them. */
export function judgeNode(
  devices: readonly DeviceEvent[],
  selfTests: readonly RunnerRecord[],
  rounds: readonly Round[],
  timeScale: number,
): JudgedRow[] {
  return [
    selfTestRow(selfTests),
    quickTierRow(rounds, timeScale),
    ...devices.flatMap((device, index) => togetherRows(device, index, rounds)),
    ...cellRows(devices, rounds),
  ];
}

function selfTestRow(selfTests: readonly RunnerRecord[]): JudgedRow {
  const passed = selfTests.filter((test) => test.exit_code === 0).length;
  const reason = selfTests.flatMap((test) => test.errors)[0]?.message ?? null;
  const row = bare('self_test', 'self-test', 'devices', [passed]);
  row.checks.push(check('every device passes', passed, { at_least: selfTests.length }));
  return { ...row, reason };
}

/** Every process that a quick tier of this machine takes, start to end; the slowest round counts. */
function quickTierRow(rounds: readonly Round[], timeScale: number): JudgedRow {
  const seconds = rounds.map((round) =>
    [...round.turns.map((turn) => turn.run), ...(round.together === null ? [] : [round.together]), ...round.matrices]
      .map((run) => run.wall_seconds)
      .reduce((sum, one) => sum + one, 0),
  );
  const row = bare('quick_tier_seconds', 'quick tier', 's', seconds);
  const whole = timeScale === 1;
  row.checks.push(
    check(
      'slowest round',
      whole ? Math.max(...seconds) : null,
      { at_most: quickTierSeconds },
      'shortened by --time-scale',
      'skipped',
    ),
  );
  return row;
}

/** Beside the same figures alone; the gap is shown and not judged. */
function togetherRows(device: DeviceEvent, index: number, rounds: readonly Round[]): JudgedRow[] {
  if (rounds.every((round) => round.together === null)) return [];
  const wanted = new Set(['triad_gbs', 'host_to_device_gbs', 'device_to_host_gbs', 'fma_fp32_tflops']);
  return figures
    .filter((spec) => wanted.has(spec.id))
    .map((spec) => {
      const read = (record: RunnerRecord | null | undefined): number | null =>
        readFigure(
          spec,
          (record?.results ?? []).filter((result) => result.device_id === device.device_id),
        ).value;
      const alone = rounds.map((round) => read(round.turns.find((turn) => turn.device_id === device.device_id)?.run));
      const at_once = rounds.map((round) => read(round.together));
      const row = bare(`together_${index}_${spec.id}`, `#${index} ${shorter(spec.label)}`, spec.unit, at_once);
      const ours = overRounds(at_once).median;
      const before = overRounds(alone).median;
      if (at_once.includes(null)) {
        row.checks.push(check('a figure in every round', null, {}, 'missing when all devices ran at once'));
      }
      return {
        ...row,
        peer: { name: 'the same device alone', median: before, rounds: alone, reason: null },
        ratio: ours === null || before === null ? null : ours / before,
      };
    });
}

const shorter = (label: string): string =>
  label.replace('host to device', 'host->dev').replace('device to host', 'dev->host');

function cellRows(devices: readonly DeviceEvent[], rounds: readonly Round[]): JudgedRow[] {
  const backends = new Set(devices.map((device) => device.backend));
  const pairs = devices.flatMap((source, from) =>
    devices.flatMap((target, to) =>
      from !== to && source.backend === target.backend ? [{ source, from, target, to }] : [],
    ),
  );
  if (pairs.length === 0 || backends.size === 0) return [];
  return pairs.map(({ source, from, target, to }) => {
    const cells = rounds.map((round) =>
      round.matrices
        .flatMap((matrix) => matrix.cells)
        .find((cell) => cell.source_device_id === source.device_id && cell.target_device_id === target.device_id),
    );
    const right = cells.map((cell) => (cell?.verified === false ? null : (cell?.simplex_gbs ?? null)));
    const row = bare(`cell_${from}_${to}`, `copy #${from} -> #${to}`, 'GB/s', right);
    const reason = cells.find((cell) => cell === undefined || cell.simplex_gbs === null)?.reason ?? null;
    if (right.includes(null)) {
      row.checks.push(check('a figure in every round', null, {}, reason ?? 'the runner gave no such cell'));
    }
    const spreads = cells.map((cell) => cell?.stats?.cv).filter((cv) => cv !== undefined);
    return { ...row, reason, cv_worst: spreads.length === 0 ? null : Math.max(...spreads) };
  });
}
