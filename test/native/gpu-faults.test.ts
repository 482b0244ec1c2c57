import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofKind } from './built-runner.ts';
import { type SimulatedRun, backendOf, idsOn, runOn, vendors } from './simulated-gpus.ts';

/**
 * Launches that go through before the fault. The clock comes first and takes nine on the slowest machine (one to calibrate,
 * three grids, five samples): it is being measured then.
 */
const soon = 6;

const errorsOf = (run: SimulatedRun) => ofKind(run.events, 'error');

/** Figures that need the device to work; sensors may respond even if it cannot. */
const worked = (run: SimulatedRun): string[] =>
  run.measured.filter((metric) => !/^(power|energy|temperature)_/.test(metric));

/** Every metric without a value has a reason, and none is zero. */
function allAnswered(run: SimulatedRun): void {
  for (const { metric, value, reason, details } of ofKind(run.events, 'result')) {
    assert.ok(value === null ? /^.{15,}/.test(reason ?? '') : value > 0, metric);
    if (value === null) assert.match(String(details['absence']), /^(failed|hardware)$/, metric);
  }
}

for (const vendor of vendors) {
  const run = (fault: string, more: Record<string, string> = {}, args: string[] = []) =>
    runOn({ drivers: [vendor], sim: { FAULT: fault, ...more } }, ['run', '--device', backendOf[vendor], ...args]);

  test(`${vendor}: no memory is out_of_memory for each benchmark that needs some, exit 4; launches are still timed`, async () => {
    const found = await run('out-of-memory');
    assert.equal(found.exitCode, 4);
    assert.deepEqual([...new Set(found.codes)], ['out_of_memory']);
    assert.deepEqual(worked(found), ['kernel_launch_overhead_us']);
    assert.match(
      found.result('memory_bandwidth_gbs').reason ?? '',
      /not have enough free memory.*OutOfMemory|OUT_OF_MEMORY/,
    );
    assert.equal(found.result('memory_bandwidth_gbs').details['absence'], 'failed');
    allAnswered(found);
  });

  test(`${vendor}: a kernel that fails is launch_failed, not a lost device, exit 4 and no figure`, async () => {
    const found = await run(`launch-failure:${soon}`);
    assert.equal(found.exitCode, 4);
    assert.deepEqual([...new Set(found.codes)], ['launch_failed']);
    assert.deepEqual(worked(found), []);
    assert.match(errorsOf(found)[0]?.message ?? '', /^clock: .*719/);
    allAnswered(found);
  });

  test(`${vendor}: an uncorrectable memory error is ecc_error once, and nothing is measured after it`, async () => {
    const found = await run(`ecc-error:${soon}`);
    assert.deepEqual([found.exitCode, found.codes, worked(found)], [4, ['ecc_error'], []]);
    assert.match(errorsOf(found)[0]?.remedy ?? '', /replace the card/);
    assert.match(found.result('memory_bandwidth_gbs').reason ?? '', /memory failed during clock/);
    assert.ok(Number(found.result('temperature_centigrade').details['ecc_uncorrected_during_run']) > 0);
    allAnswered(found);
  });

  test(`${vendor}: a card lost mid-run is device_lost once; the rest has no figure, energy of the part before included`, async () => {
    const found = await run(`card-lost:${soon}`);
    assert.deepEqual([found.exitCode, found.codes, worked(found)], [4, ['device_lost'], []]);
    for (const metric of ['clock_ghz', 'repeat_checks', 'energy_consumption_wh', 'power_consumption_watts']) {
      const { value, details } = found.result(metric);
      assert.deepEqual([value, details['absence']], [null, 'failed'], metric);
    }
    assert.match(found.result('repeat_checks').reason ?? '', /stopped working during clock/);
    assert.match(found.result('energy_consumption_wh').reason ?? '', /stopped answering during the run/);
    allAnswered(found);
  });

  test(`${vendor}: what was measured before the card was lost stays`, async () => {
    const found = await run('card-lost:1500', {}, ['--benchmarks', 'clock,memory,dispatch,repeat']);
    assert.deepEqual([found.exitCode, found.codes], [4, ['device_lost']]);
    // A sample of launches alone is 500 of them.
    assert.deepEqual(worked(found), ['clock_ghz', 'memory_bandwidth_gbs']);
    assert.match(errorsOf(found)[0]?.message ?? '', /^dispatch: /);
  });

  test(`${vendor}: memory that others hold is device_busy, exit 5, nothing measured`, async () => {
    const found = await run('memory-taken');
    assert.deepEqual([found.exitCode, found.codes, found.measured], [5, ['device_busy'], []]);
    const [error] = errorsOf(found);
    assert.match(error?.message ?? '', /only 10 MiB of 32 MiB free/);
    // NVML names the holder, by its process id if /proc shows the host's ids; AMD's libraries do not.
    if (vendor === 'nvidia') assert.match(error?.message ?? '', /held by (process 1|another process)$/);
    assert.equal(error?.device_id, found.devices[0]?.device_id);
  });

  test(`${vendor}: one of two devices is busy: the other is measured whole, exit 4`, async () => {
    const machine = { drivers: [vendor], sim: { DEVICES: '2', FAULT: 'memory-taken@0' } };
    const [first, second] = await idsOn(machine);
    const found = await runOn(machine, ['run', '--device', `${first},${second}`, '--benchmarks', 'clock,link']);
    assert.deepEqual([found.exitCode, found.codes], [4, ['device_busy']]);
    assert.equal(errorsOf(found)[0]?.device_id, first);
    assert.ok(ofKind(found.events, 'result').every((result) => result.device_id === second && result.value !== null));
  });

  test(`${vendor}: images that the driver refuses are image_rejected, exit 5, and it says which`, async () => {
    const found = await run('wrong-image');
    assert.deepEqual([found.exitCode, found.codes, found.measured], [5, ['image_rejected'], []]);
    const images = vendor === 'nvidia' ? /sm_90 cubin: .*sm_60 ptx: .*NO_BINARY/ : /gfx942 code object: .*NoBinary/;
    assert.match(errorsOf(found)[0]?.message ?? '', images);
    assert.equal(found.devices[0]?.attributes['image'], null);
  });

  for (const [fault, status] of [
    ['old-driver', 'driver-too-old'],
    ['no-device', 'no-device'],
  ] as const) {
    test(`${vendor}: ${fault} is listed as ${status} with its reason, and a run of it is exit 5`, async () => {
      const found = await run(fault);
      assert.deepEqual([found.exitCode, found.codes, found.measured], [5, ['no_usable_device'], []]);
      const [device] = found.devices;
      assert.deepEqual([device?.status, device?.device_id, device?.simulated], [status, backendOf[vendor], true]);
      assert.match(device?.detail ?? '', /^lib(cuda|amdhip64)\.so/);
      assert.ok((errorsOf(found)[0]?.message ?? '').includes(status));
    });
  }

  test(`${vendor}: an architecture that no image is for is an error of that device`, async () => {
    const arch = vendor === 'nvidia' ? 'sm_52' : 'gfx906';
    const { exitCode, devices } = await run('', { ARCH: arch });
    assert.equal(exitCode, 5);
    assert.equal(devices[0]?.status, 'error');
    assert.equal(devices[0]?.detail, `this build has no image for ${arch}`);
  });

  test(`${vendor}: a self-test on a card that is lost is exit 4, device_lost and no wrong kernel`, async () => {
    const machine = { drivers: [vendor], sim: { FAULT: 'card-lost:3' } };
    const { exitCode, codes } = await runOn(machine, ['self-test', '--device', backendOf[vendor]]);
    assert.deepEqual([exitCode, codes], [4, ['device_lost']]);
  });
}

for (const [arch, driver, image] of [
  ['sm_90', '12040', 'sm_60 ptx, compiled by the driver'],
  ['sm_70', '13000', 'sm_60 ptx, compiled by the driver'],
  ['sm_89', '13000', 'sm_89 cubin'],
  ['sm_121', '13000', 'sm_120 cubin'],
] as const) {
  test(`nvidia: ${arch} with driver ${driver} runs "${image}", which is what is recorded`, async () => {
    const machine = { drivers: ['nvidia' as const], sim: { ARCH: arch, DRIVER: driver } };
    const found = await runOn(machine, ['run', '--device', 'cuda', '--benchmarks', 'clock']);
    assert.equal(found.exitCode, 0);
    assert.equal(found.devices.length, 1);
    assert.equal(found.devices[0]?.attributes['image'], image);
    // The list does not open devices, so it cannot know which image the driver accepts.
    const listed = (await runOn(machine, ['--list'])).devices[0]?.attributes ?? {};
    assert.equal(listed['image'], null);
    assert.ok((listed['images'] as string[]).includes(image));
  });
}
