import assert from 'node:assert/strict';
import { execa } from 'execa';
import { test } from 'node:test';
import type { CollectiveLibrary } from '../../../agent/links/collective/collective-events.ts';
import { built } from '../built-runner.ts';
import { parseEvents, runCollectiveJob, simEnvironment, simLibrary } from '../support/collective-job.ts';
import type { SimulatedVendor } from '../simulated-driver.ts';

async function probe(vendor: SimulatedVendor, library: string, sim: Record<string, string> = {}, cwd = '/') {
  const path = await built('gpumark-runner');
  const env = await simEnvironment(vendor, library, sim);
  const { stdout, exitCode } = await execa(path, ['collective', '--probe'], { env, extendEnv: false, cwd });
  assert.equal(exitCode, 0);
  const name = vendor === 'nvidia' ? 'nccl' : 'rccl';
  const found = parseEvents(stdout).find(
    (event): event is CollectiveLibrary => event.event === 'collective_library' && event.library === name,
  );
  assert.ok(found);
  return found;
}

for (const vendor of ['nvidia', 'amd'] as const) {
  const [file, variable] =
    vendor === 'nvidia' ? ['libnccl.so', 'GPUMARK_NCCL_PATH'] : ['librccl.so', 'GPUMARK_RCCL_PATH'];

  test(`${vendor}: the library, its version, its devices, and that it is simulated`, async () => {
    const found = await probe(vendor, `collective-${vendor}`, { DEVICES: '3' });
    assert.deepEqual(
      { status: found.status, version: found.version, devices: found.devices, simulated: found.simulated },
      { status: 'ok', version: '2.27.3', devices: 3, simulated: true },
    );
    assert.ok(found.path?.startsWith(await simLibrary(`collective-${vendor}`)));
  });

  test(`${vendor}: a machine without the library lists the places searched`, async () => {
    const { status, detail, version } = await probe(vendor, '');
    assert.equal(status, 'absent');
    assert.equal(version, null);
    const places = vendor === 'nvidia' ? '/usr/local/cuda/lib64' : '/opt/rocm/lib';
    assert.ok(detail.startsWith(`no ${file} was found (looked in the loader's path, `), detail);
    assert.ok(detail.includes(places), detail);
  });

  test(`${vendor}: ${variable} names a folder or a file, and no other place is searched`, async () => {
    const folder = await simLibrary(`collective-${vendor}`);
    const { path } = await probe(vendor, '', { [variable]: folder });
    assert.ok(path !== null && path.startsWith(`${folder}/${file}`));
    assert.equal((await probe(vendor, '', { [variable]: path })).status, 'ok');
    const wrong = await probe(vendor, `collective-${vendor}`, { [variable]: '/nowhere' });
    assert.equal(
      wrong.detail,
      `${variable} is /nowhere, so no other place is searched: it does not name a ${file} by its absolute path`,
    );
    // A name without its folder would make the current one count.
    const relative = await probe(vendor, '', { [variable]: 'libnccl.so.2:librccl.so.1' }, folder);
    assert.equal(relative.status, 'absent');
  });
}

test('without a device nothing is searched', async () => {
  const { status, detail } = await probe('nvidia', 'collective-nvidia', { FAULT: 'no-device' });
  assert.equal(status, 'no-device');
  assert.match(detail, /reports no device/);
});

test('a library that lacks some calls is skipped for the next', async () => {
  const [broken, whole] = [await simLibrary('collective-incomplete'), await simLibrary('collective-nvidia')];
  const only = await probe('nvidia', 'collective-incomplete');
  assert.match(only.detail, /^no libnccl.so is usable: libnccl.so.2: it has no ncclGetUniqueId \(looked in /);
  const next = await probe('nvidia', '', { GPUMARK_NCCL_PATH: `${broken}:${whole}` });
  assert.equal(next.path, `${whole}/libnccl.so.2`);
});

test('a library older than abort and background errors is measured all the same', async () => {
  const sim = { COLLECTIVE_VERSION: '2.3.7' };
  const [run] = await runCollectiveJob({ nodes: 2, library: 'collective-old', sim });
  assert.equal(run?.measured?.version, '2.3.7');
  assert.equal(run.measured.verified, true);
  const hung = await runCollectiveJob({
    nodes: 2,
    library: 'collective-old',
    deadline_seconds: 2,
    sim: { ...sim, COLLECTIVE_FAULT: 'leave@1:4' },
  });
  // It does not notice the loss of its peer, so the deadline ends it.
  assert.equal(hung[0]?.error?.code, 'collective_deadline');
});

test('an RCCL of another HIP runtime than the one in use is not called', async () => {
  const env = await simEnvironment('amd', 'collective-amd', {});
  const runtime = await simLibrary('amd-7');
  const path = await built('gpumark-runner');
  const { stdout } = await execa(path, ['collective', '--probe'], {
    env: { ...env, LD_LIBRARY_PATH: `${runtime}:${await simLibrary('collective-amd')}` },
    extendEnv: false,
  });
  assert.match(
    stdout,
    /it is linked with another HIP runtime, \S+libamdhip64\.so\.6, than the one in use, libamdhip64\.so\.7/,
  );
});
