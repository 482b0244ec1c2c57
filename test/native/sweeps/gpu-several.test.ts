import assert from 'node:assert/strict';
import { execa } from 'execa';
import { test } from 'node:test';
import { ofKind } from '../built-runner.ts';
import { type Machine, idsOn, readRun, runOn, runnerOn, vendors } from '../simulated-gpus.ts';

const both: Machine = { drivers: ['nvidia', 'amd'], sim: { DEVICES: '2' } };

test('a machine with both vendors’ cards lists both, each by its own id', async () => {
  const { devices } = await runOn(both, ['--list']);
  const gpus = devices.filter((device) => device.vendor !== 'cpu');
  assert.deepEqual(
    gpus.map((device) => [device.backend, device.vendor, device.status, device.simulated]),
    [
      ['cuda', 'nvidia', 'ok', true],
      ['cuda', 'nvidia', 'ok', true],
      ['rocm', 'amd', 'ok', true],
      ['rocm', 'amd', 'ok', true],
    ],
  );
  for (const key of ['device_id', 'pci_id'] as const) assert.equal(new Set(gpus.map((gpu) => gpu[key])).size, 4, key);
});

test('devices of both vendors run at once: every result names its device, every benchmark starts on all together, one summary', async () => {
  const ids = await idsOn(both);
  const chosen = [ids[0] ?? '', ids[2] ?? ''];
  const benchmarks = ['clock', 'memory', 'dispatch', 'energy'];
  const found = await runOn(both, ['run', '--device', chosen.join(), '--benchmarks', benchmarks.join()]);
  assert.equal(found.exitCode, 0);
  assert.deepEqual(found.devices.map((device) => device.device_id).toSorted(), chosen.toSorted());
  assert.equal(ofKind(found.events, 'summary').length, 1);
  for (const id of chosen) {
    for (const metric of ['clock_ghz', 'memory_bandwidth_gbs', 'kernel_launch_overhead_us', 'energy_consumption_wh']) {
      assert.ok((found.result(metric, id).value ?? 0) > 0, metric);
    }
  }
  const times = found.events.map((event) => event.t_ms);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
    'the lines of all threads in the order of their time',
  );
  // No device begins a benchmark before all have ended the one before.
  const phases = ofKind(found.events, 'phase').map((phase) => `${phase.state} ${phase.benchmark}`);
  for (const [index, benchmark] of benchmarks.entries()) {
    const before = benchmarks[index - 1];
    if (before !== undefined) {
      assert.ok(phases.indexOf(`start ${benchmark}`) > phases.lastIndexOf(`end ${before}`), benchmark);
    }
  }
});

for (const vendor of vendors) {
  test(`${vendor}: a card lost in a run of three: the others finish, exit 4, its further figures are absent`, async () => {
    const machine: Machine = { drivers: [vendor], sim: { DEVICES: '3', FAULT: 'card-lost@1:6' } };
    const ids = await idsOn(machine);
    const args = ['run', '--device', ids.join(), '--benchmarks', 'clock,link,dispatch,energy'];
    const found = await runOn(machine, args);
    assert.deepEqual([found.exitCode, found.codes], [4, ['device_lost']]);
    assert.equal(ofKind(found.events, 'error')[0]?.device_id, ids[1]);
    for (const [place, id] of ids.entries()) {
      for (const metric of ['clock_ghz', 'host_to_device_bandwidth_gbs', 'kernel_launch_overhead_us']) {
        const { value, details } = found.result(metric, id);
        assert.equal(value === null, place === 1, `${metric} of ${id}`);
        assert.equal(details['absence'], place === 1 ? 'failed' : undefined);
      }
    }
  });
}

test('a device named twice, by its id and by its backend too, is measured once', async () => {
  const machine: Machine = { drivers: ['nvidia'] };
  const [id] = await idsOn(machine);
  const found = await runOn(machine, ['run', '--device', `${id},cuda,${id}`, '--benchmarks', 'clock']);
  assert.deepEqual([found.exitCode, found.devices.length], [0, 1]);
  assert.ok((found.result('clock_ghz').value ?? 0) > 0);
});

test('an unknown id is an error that names it: alone exit 5, beside a known one exit 4 with the known one measured', async () => {
  const machine: Machine = { drivers: ['nvidia'] };
  const [id] = await idsOn(machine);
  const alone = await runOn(machine, ['run', '--device', 'GPU-nowhere', '--benchmarks', 'clock']);
  assert.deepEqual([alone.exitCode, alone.codes, alone.measured], [5, ['no_usable_device'], []]);
  assert.match(ofKind(alone.events, 'error')[0]?.message ?? '', /no device is called "GPU-nowhere"/);
  const beside = await runOn(machine, ['run', '--device', `GPU-nowhere,${id}`, '--benchmarks', 'clock']);
  assert.deepEqual([beside.exitCode, beside.codes, beside.measured], [4, ['no_usable_device'], ['clock_ghz']]);
});

test('the variables that hide devices are respected, by ordinal and by UUID, and recorded', async () => {
  const all = await idsOn(both);
  const [cuda, rocm] = [all.slice(0, 2), all.slice(2)];
  const visible = async (sim: Record<string, string>) => idsOn({ ...both, sim: { DEVICES: '2', ...sim } });
  assert.deepEqual(await visible({ CUDA_VISIBLE_DEVICES: '1', HIP_VISIBLE_DEVICES: '0' }), [cuda[1], rocm[0]]);
  assert.deepEqual(await visible({ CUDA_VISIBLE_DEVICES: cuda[1] ?? '' }).then((ids) => ids[0]), cuda[1]);
  assert.deepEqual(await visible({ ROCR_VISIBLE_DEVICES: '1' }).then((ids) => ids.slice(2)), [rocm[1]]);
  const { devices } = await runOn({ drivers: ['nvidia'], sim: { DEVICES: '2', CUDA_VISIBLE_DEVICES: '1,0' } }, [
    '--list',
  ]);
  assert.deepEqual(
    devices.slice(0, 2).map((device) => [device.device_id, device.attributes['visible_devices']]),
    [cuda[1], cuda[0]].map((id) => [id, 'CUDA_VISIBLE_DEVICES=1,0']),
  );
});

test('with all devices hidden there is no device, exit 5', async () => {
  const machine: Machine = { drivers: ['nvidia'], sim: { CUDA_VISIBLE_DEVICES: '-1' } };
  const found = await runOn(machine, ['run', '--device', 'cuda']);
  assert.deepEqual([found.exitCode, found.devices[0]?.status], [5, 'no-device']);
});

test('a MIG instance has its own id, names its card, and says that the energy is the whole card’s', async () => {
  const machine: Machine = { drivers: ['nvidia'], sim: { MIG: '1' } };
  const found = await runOn(machine, ['run', '--device', 'cuda', '--benchmarks', 'clock,energy']);
  assert.equal(found.exitCode, 0);
  const [device] = found.devices;
  assert.match(device?.device_id ?? '', /^MIG-[0-9a-f-]{36}$/);
  const mig = device?.attributes['mig'] as Record<string, unknown>;
  assert.deepEqual([mig['enabled'], mig['instance']], [true, '1g.1gb']);
  assert.match(String(mig['parent_uuid']), /^GPU-[0-9a-f-]{36}$/);
  assert.match(String(found.result('energy_consumption_wh').details['scope']), /whole card/);
});

test('every MIG instance is listed and measured, each in its own process that sees only it', async () => {
  const machine: Machine = { drivers: ['nvidia'], sim: { MIG: '1', DEVICES: '3' } };
  const ids = await idsOn(machine);
  assert.deepEqual([ids.length, ids.every((id) => id.startsWith('MIG-'))], [3, true]);
  const benchmarks = ['clock', 'dispatch', 'energy'];
  const found = await runOn(machine, ['run', '--device', ids.join(), '--benchmarks', benchmarks.join()]);
  assert.equal(found.exitCode, 0);
  assert.deepEqual(found.devices.map((device) => device.device_id).toSorted(), ids.toSorted());
  for (const id of ids) {
    assert.ok((found.result('clock_ghz', id).value ?? 0) > 0);
    assert.ok((found.result('kernel_launch_overhead_us', id).value ?? 0) > 0);
  }
  const times = found.events.map((event) => event.t_ms);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
    'in the time of the run, not of the processes',
  );
  // In step, as other devices: no benchmark begins before all have ended the one before.
  const phases = ofKind(found.events, 'phase').map((phase) => `${phase.state} ${phase.benchmark}`);
  assert.ok(phases.indexOf('start dispatch') > phases.lastIndexOf('end clock'));
  // A user who names one wants no others.
  const [, second = ''] = ids;
  assert.deepEqual(await idsOn({ ...machine, sim: { ...machine.sim, CUDA_VISIBLE_DEVICES: second } }), [second]);
});

test('in turns each device works alone, after all at once, and every result tells how many worked', async () => {
  const machines: Machine[] = [both, { drivers: ['nvidia'], sim: { MIG: '1', DEVICES: '3' } }];
  for (const machine of machines) {
    const ids = (await idsOn(machine)).slice(0, 3);
    const args = ['run', '--device', ids.join(), '--benchmarks', 'clock,link,energy', '--turns', 'fma,link'];
    const { events, exitCode } = await runOn(machine, args);
    assert.equal(exitCode, 0);
    const copies = ofKind(events, 'result').filter((one) => one.metric === 'host_to_device_bandwidth_gbs');
    for (const id of ids) {
      const counts = copies.filter((one) => one.device_id === id).map((one) => one.details['cards_at_work']);
      assert.deepEqual(counts, [3, 1], id);
    }
    // In a turn nothing else is measured: it ends before the next begins.
    const turns = ofKind(events, 'phase').filter((phase) => phase.turn === true);
    assert.equal(turns.length, 2 * 2 * ids.length);
    for (const [place, phase] of turns.entries()) {
      const { device_id, benchmark } = turns[place - (place % 2)] ?? phase;
      assert.deepEqual(
        [phase.state, phase.device_id, phase.benchmark],
        [place % 2 === 0 ? 'start' : 'end', device_id, benchmark],
      );
    }
    assert.deepEqual(
      turns.filter(({ state }) => state === 'start').map(({ device_id, benchmark }) => [benchmark, device_id]),
      ['fma', 'link'].flatMap((benchmark) => ids.map((id) => [benchmark, id])),
    );
    // What spans the others comes last.
    assert.equal(ofKind(events, 'phase').at(-1)?.benchmark, 'energy');
  }
});

test('swings begin and end on all devices together, as often as asked, and the energy is reported once', async () => {
  const ids = (await idsOn(both)).slice(1, 3);
  const found = await runOn(both, ['run', '--device', ids.join(), '--benchmarks', 'repeat,energy', '--swings', '3']);
  assert.equal(found.exitCode, 0);
  const phases = ofKind(found.events, 'phase').filter(({ benchmark }) => benchmark === 'repeat');
  assert.deepEqual(
    phases.map(({ state }) => state),
    [1, 2, 3].flatMap(() => ['start', 'start', 'end', 'end']),
  );
  for (const id of ids) {
    const checks = ofKind(found.events, 'result').filter(
      (one) => one.metric === 'repeat_checks' && one.device_id === id,
    );
    assert.deepEqual(
      checks.map(({ verified }) => verified),
      [true, true, true],
    );
    assert.ok((found.result('energy_consumption_wh', id).value ?? 0) > 0);
  }
});

test('a process started for an instance that it does not see reports that and starts no other', async () => {
  const machine: Machine = { drivers: ['nvidia'], sim: { MIG: '1', DEVICES: '2' } };
  const [, hidden = ''] = await idsOn(machine);
  // As the process of the run is started, but for the variable that shows it the instance.
  const found = await runOn(machine, ['run', '--device', hidden, '--benchmarks', 'clock', '--in-step', 'stdin']);
  assert.equal(found.exitCode, 5);
  assert.match(JSON.stringify(ofKind(found.events, 'error')), /MIG instance, and a process sees only one of those/);
});

test('SIGTERM keeps what was measured on each device, explains the rest and exits 143', async () => {
  const machine: Machine = { drivers: ['nvidia'], sim: { DEVICES: '2' } };
  const ids = await idsOn(machine);
  const { path, options } = await runnerOn(machine);
  const child = execa(
    path,
    ['run', '--device', ids.join(), '--benchmarks', 'clock,fma,memory,energy', '--time-scale', '0.3'],
    options,
  );
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('"event":"sample"') && text.includes('"benchmark":"fma"')) child.kill('SIGTERM');
  });
  const { stdout, exitCode } = await child;
  const found = readRun(stdout, exitCode);
  assert.deepEqual([found.exitCode, found.codes], [143, ['interrupted']]);
  for (const id of ids) {
    assert.ok((found.result('clock_ghz', id).value ?? 0) > 0);
    assert.match(found.result('memory_bandwidth_gbs', id).reason ?? '', /stopped/);
    assert.equal(found.result('memory_bandwidth_gbs', id).details['absence'], 'failed');
    assert.ok((found.result('energy_consumption_wh', id).value ?? 0) > 0, 'the energy of what did run');
  }
});

test('losing the reader ends a run of GPUs with exit 1', async () => {
  const { path, options } = await runnerOn({ drivers: ['amd'] });
  const child = execa(path, ['run', '--device', 'rocm', '--tier', 'standard'], { ...options, buffer: false });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('"event":"phase"')) child.stdout.destroy();
  });
  assert.equal((await child).exitCode, 1);
});
