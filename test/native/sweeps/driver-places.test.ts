import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { execa } from 'execa';
import { built } from '../built-runner.ts';
import { backendOf, readRun } from '../simulated-gpus.ts';
import { simulatedDriver, type SimulatedVendor } from '../simulated-driver.ts';

const skip = process.getuid?.() === 0 ? false : 'needs root for chroot';
const CORE = 'libgpumark-simulated-core.so';
/** What each vendor installs side by side: its driver, and the library of its sensors. */
const FILES = {
  nvidia: ['libcuda.so.1', 'libnvidia-ml.so.1'],
  amd: ['libamdhip64.so.6', 'librocm_smi64.so.1'],
} as const;

/** A file system of its own with the runner, the C library and the vendor's libraries in `place`. */
async function machineWith(t: TestContext, vendor: SimulatedVendor, place: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'gpumark-places-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const put = (from: string, to: string): void => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(from, join(root, to));
  };
  const runner = await built('gpumark-runner');
  const folder = await simulatedDriver(vendor);
  const core = join(dirname(folder), CORE);
  put(runner, '/gpumark-runner');
  // The core lies above the libraries that are linked with it.
  put(core, join(dirname(place), CORE));
  for (const file of FILES[vendor]) put(join(folder, file), join(place, file));
  const { stdout } = await execa('ldd', [runner, core]);
  for (const [, path = ''] of stdout.matchAll(/(?:=> |^\s+)(\/\S+) \(/gm)) put(path, path);
  return root;
}

const list = async (root: string, env: Record<string, string> = {}) => {
  const { stdout, exitCode } = await execa('chroot', [root, '/gpumark-runner', '--list'], {
    extendEnv: false,
    env: { GPUMARK_SIM_MEMORY_MIB: '32', PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    reject: false,
  });
  return readRun(stdout, exitCode).devices;
};

const PLACES: [vendor: SimulatedVendor, place: string, env?: Record<string, string>][] = [
  ['nvidia', '/usr/local/nvidia/lib64'],
  ['nvidia', '/usr/local/nvidia/lib'],
  ['nvidia', '/usr/lib/wsl/lib'],
  ['nvidia', '/run/opengl-driver/lib'],
  ['amd', '/opt/rocm/lib'],
  ['amd', '/opt/rocm/lib64'],
  ['amd', '/opt/rocm-7.2.0/lib'],
  ['amd', '/srv/rocm/lib', { ROCM_PATH: '/srv/rocm' }],
  ['amd', '/srv/hip/lib', { HIP_PATH: '/srv/hip' }],
];

for (const [vendor, place, env] of PLACES) {
  test(`${vendor}: driver and sensors are found in ${place}, which the loader does not search`, { skip }, async (t) => {
    const root = await machineWith(t, vendor, place);
    const device = (await list(root, env)).find(({ backend }) => backend === backendOf[vendor]);
    assert.equal(device?.status, 'ok');
    assert.equal(device.attributes['driver_library'], join(place, FILES[vendor][0]));
    assert.equal(typeof device.attributes['telemetry'], 'string');
  });
}

test('a machine without a driver is told every place that was searched, the newest ROCm first', { skip }, async (t) => {
  const root = await machineWith(t, 'amd', '/nowhere/lib');
  for (const home of ['rocm-9.1.0', 'rocm-10.0.1']) mkdirSync(join(root, 'opt', home), { recursive: true });
  const detail = Object.fromEntries((await list(root)).map((device) => [device.backend, device.detail]));
  assert.equal(
    detail['cuda'],
    "no libcuda.so was found (looked in the loader's path, /usr/local/nvidia/lib64, /usr/local/nvidia/lib, /usr/lib/wsl/lib, /run/opengl-driver/lib)",
  );
  assert.match(
    detail['rocm'] ?? '',
    /\/opt\/rocm\/lib, \/opt\/rocm\/lib64, \/opt\/rocm-10\.0\.1\/lib, .*\/opt\/rocm-9\.1\.0\/lib, /,
  );
});
