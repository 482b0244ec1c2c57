import assert from 'node:assert/strict';
import { execa } from 'execa';
import { test } from 'node:test';
import type { CellEvent } from '../../../agent/kernels/runner-events.ts';
import { ofKind } from '../built-runner.ts';
import { type Machine, type SimulatedRun, idsOn, readRun, runOn, runnerOn, vendors } from '../simulated-gpus.ts';

const matrix = async (machine: Machine, ids: readonly string[]): Promise<[SimulatedRun, CellEvent[]]> => {
  const run = await runOn(machine, ['matrix', '--device', ids.join(), '--time-scale', '0.02']);
  return [run, ofKind(run.events, 'cell')];
};

const name = (cell: CellEvent): string => `${cell.source_device_id} ${cell.target_device_id}`;
const pairsOf = (ids: readonly string[]): string[] =>
  ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => `${from} ${to}`));

function assertMeasured(cells: readonly CellEvent[]): void {
  const byName = new Map(cells.map((cell) => [name(cell), cell]));
  for (const cell of cells) {
    assert.ok((cell.simplex_gbs ?? 0) > 0 && (cell.duplex_gbs ?? 0) > 0 && cell.verified === true, name(cell));
    assert.ok(cell.reason === null && cell.stats?.median === cell.simplex_gbs);
    const back = byName.get(`${cell.target_device_id} ${cell.source_device_id}`);
    assert.equal(back?.duplex_gbs, cell.duplex_gbs, 'both directions at once are one measurement');
    assert.deepEqual(back?.duplex_stats, cell.duplex_stats);
    assert.equal(cell.duplex_stats?.median, cell.duplex_gbs);
    assert.ok((cell.duplex_stats?.n ?? 0) >= 3);
  }
}

const links = [
  ['nvidia', /^NVLink x\d+$/],
  ['amd', /^xGMI/],
] as const;
for (const [vendor, connection] of links) {
  test(`${vendor}: 8 devices have 56 cells, every ordered pair once, all verified`, async () => {
    const machine: Machine = { drivers: [vendor], sim: { DEVICES: '8' } };
    const ids = await idsOn(machine);
    const [run, cells] = await matrix(machine, ids);
    assert.deepEqual([run.exitCode, cells.length, run.devices.length], [0, 56, 8]);
    assert.deepEqual(cells.map(name).toSorted(), pairsOf(ids).toSorted());
    assertMeasured(cells);
    assert.ok(cells.every((cell) => cell.peer_access && connection.test(cell.connection_type)));
  });
}

for (const vendor of vendors) {
  test(`${vendor}: devices without peer access copy through the host, and the cell is labelled so`, async () => {
    const machine: Machine = { drivers: [vendor], sim: { DEVICES: '2', FAULT: 'no-peer' } };
    const [run, cells] = await matrix(machine, await idsOn(machine));
    assert.deepEqual([run.exitCode, cells.length], [0, 2]);
    assertMeasured(cells);
    for (const cell of cells) {
      assert.equal(cell.peer_access, false);
      assert.match(cell.connection_type, /host-staged \(no peer access\)/);
    }
  });

  // Two launches prepare a device; the fourth is in the second copy from it, whatever else the machine does.
  test(`${vendor}: one card lost: device_lost once, its cells have reasons, the others' figures`, async () => {
    const machine: Machine = { drivers: [vendor], sim: { DEVICES: '4', FAULT: 'card-lost@2:3' } };
    const ids = await idsOn(machine);
    const [run, cells] = await matrix(machine, ids);
    assert.deepEqual([run.exitCode, run.codes], [4, ['device_lost']]);
    assert.equal(ofKind(run.events, 'error')[0]?.device_id, ids[2]);
    assert.deepEqual(cells.map(name).toSorted(), pairsOf(ids).toSorted());
    const [of, others] = [
      cells.filter((cell) => name(cell).includes(ids[2] ?? '?')),
      cells.filter((cell) => !name(cell).includes(ids[2] ?? '?')),
    ];
    assert.deepEqual([of.length, others.length], [6, 6]);
    assertMeasured(others);
    for (const cell of of) {
      assert.deepEqual([cell.simplex_gbs, cell.duplex_gbs, cell.stats, cell.duplex_stats], [null, null, null, null]);
      assert.match(cell.reason ?? '', /719/);
    }
  });

  test(`${vendor}: a busy card is left out, so that the others keep large copies`, async () => {
    const machine: Machine = { drivers: [vendor], sim: { DEVICES: '3', FAULT: 'memory-taken@0' } };
    const ids = await idsOn(machine);
    const [run, cells] = await matrix(machine, ids);
    assert.deepEqual([run.exitCode, run.codes, cells.length], [4, ['device_busy'], 6]);
    const between = cells.find((cell) => !name(cell).includes(ids[0] ?? '?'));
    // A quarter of the 24 MiB that are free beside the context.
    assert.equal(between?.details['bytes'], 6 * 2 ** 20);
    assert.match(cells.find((cell) => name(cell).includes(ids[0] ?? '?'))?.reason ?? '', /10 MiB of 32 MiB free/);
  });
}

test('a matrix of both vendors has the cells within each and none across', async () => {
  const machine: Machine = { drivers: ['nvidia', 'amd'], sim: { DEVICES: '2' } };
  const ids = await idsOn(machine);
  const [run, cells] = await matrix(machine, ids);
  assert.equal(run.exitCode, 0);
  assert.deepEqual(cells.map(name).toSorted(), [...pairsOf(ids.slice(0, 2)), ...pairsOf(ids.slice(2))].toSorted());
});

test('a matrix without two devices of one vendor is exit 5 and says what it needs', async () => {
  const machine: Machine = { drivers: ['nvidia', 'amd'] };
  const ids = await idsOn(machine);
  for (const chosen of [ids, ids.slice(0, 1)]) {
    const [run, cells] = await matrix(machine, chosen);
    assert.deepEqual([run.exitCode, run.codes, cells], [5, ['no_usable_device'], []]);
    assert.match(ofKind(run.events, 'error')[0]?.message ?? '', /two usable devices of one vendor/);
  }
});

test('a copy whose bytes do not arrive has no figure, exit 6', async () => {
  const machine: Machine = { drivers: ['nvidia'], sim: { DEVICES: '2', FAULT: 'flip-bit@1:gpumark_checksum' } };
  const [run, cells] = await matrix(machine, await idsOn(machine));
  assert.deepEqual([run.exitCode, run.codes], [6, ['verification_failed', 'verification_failed']]);
  for (const cell of cells) {
    assert.deepEqual([cell.simplex_gbs, cell.duplex_gbs, cell.verified], [null, null, false]);
    assert.equal(cell.reason, 'the copy differs from its source');
  }
});

test('SIGTERM in a matrix keeps the cells measured, names the others as stopped and exits 143', async () => {
  const machine: Machine = { drivers: ['nvidia'], sim: { DEVICES: '4' } };
  const ids = await idsOn(machine);
  const { path, options } = await runnerOn(machine);
  const child = execa(path, ['matrix', '--device', ids.join()], options);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('"event":"cell"')) child.kill('SIGTERM');
  });
  const { stdout, exitCode } = await child;
  const run = readRun(stdout, exitCode);
  const cells = ofKind(run.events, 'cell');
  assert.deepEqual([run.exitCode, cells.length], [143, 12]);
  assert.ok((cells[0]?.simplex_gbs ?? 0) > 0);
  assert.match(cells.at(-1)?.reason ?? '', /stopped/);
});
