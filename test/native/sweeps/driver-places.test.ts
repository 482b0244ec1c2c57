import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
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
const LIBRARIES = {
  nvidia: ['blas-nvidia/libcublasLt.so.13', 'collective-nvidia/libnccl.so.2'],
  amd: ['blas-amd/libhipblaslt.so.0', 'collective-amd/librccl.so.1'],
} as const;

interface Installed {
  /** Names of the driver's files; all of FILES by default. */
  files?: readonly string[];
  /** More files, below native/build/sim, and their folder. */
  more?: readonly string[];
  elsewhere?: string;
}

/** A file system of its own with the runner, the C library and the vendor's libraries in `place`. */
async function machineWith(
  t: TestContext,
  vendor: SimulatedVendor,
  place: string,
  { files = FILES[vendor], more = [], elsewhere = place }: Installed = {},
): Promise<string> {
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
  for (const file of files) put(join(folder, file), join(place, file));
  for (const file of more) put(join(dirname(folder), file), join(elsewhere, basename(file)));
  if (more.length > 0) put(core, join(dirname(elsewhere), CORE));
  const { stdout } = await execa('ldd', [runner, core]);
  for (const [, path = ''] of stdout.matchAll(/(?:=> |^\s+)(\/\S+) \(/gm)) put(path, path);
  return root;
}

const runIn = (root: string, args: readonly string[], env: Record<string, string> = {}) =>
  execa('chroot', [root, '/gpumark-runner', ...args], {
    extendEnv: false,
    env: { GPUMARK_SIM_MEMORY_MIB: '32', PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    reject: false,
  });

const list = async (root: string, env: Record<string, string> = {}) => {
  const { stdout, exitCode } = await runIn(root, ['--list'], env);
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

test('AMD SMI, the only library of sensors of ROCm 10, is found beside the driver', { skip }, async (t) => {
  const installed = { files: ['libamdhip64.so.6'], more: ['amd-smi-27/libamd_smi.so.27'] };
  const root = await machineWith(t, 'amd', '/opt/rocm/lib', installed);
  const device = (await list(root)).find(({ backend }) => backend === 'rocm');
  assert.equal(device?.attributes['telemetry'], 'AMD SMI');
});

for (const [vendor, place, missing] of [
  [
    'nvidia',
    '/usr/lib/wsl/lib',
    [
      /^NVML is not installed: no libnvidia-ml\.so was found \(looked in .*\/usr\/local\/nvidia\/lib64, .*\/run\/opengl-driver\/lib\)/,
    ],
  ],
  [
    'amd',
    '/opt/rocm/lib',
    [
      /no librocm_smi64\.so was found \(looked in .*\/opt\/rocm\/lib64/,
      /no libamd_smi\.so was found \(looked in .*\/opt\/rocm\/lib64/,
    ],
  ],
] as const) {
  test(`${vendor}: a driver without a library of sensors is told where it was looked for`, { skip }, async (t) => {
    const root = await machineWith(t, vendor, place, { files: FILES[vendor].slice(0, 1) });
    const device = (await list(root)).find(({ backend }) => backend === backendOf[vendor]);
    assert.equal(device?.status, 'ok');
    for (const words of missing) assert.match(String(device.attributes['telemetry_problem']), words);
  });
}

const HPC_SDK = '/opt/nvidia/hpc_sdk/Linux_x86_64/25.7';
const OF_TOOLKITS: [vendor: SimulatedVendor, blas: string, collective: string, env?: Record<string, string>][] = [
  ['nvidia', '/usr/local/cuda/lib64', '/usr/local/cuda/lib64'],
  ['nvidia', '/usr/local/cuda-13.1/targets/x86_64-linux/lib', '/usr/local/cuda-13.1/lib64'],
  ['nvidia', '/srv/cuda/lib64', '/srv/cuda/lib64', { CUDA_HOME: '/srv/cuda' }],
  ['nvidia', `${HPC_SDK}/math_libs/lib64`, `${HPC_SDK}/comm_libs/nccl/lib`],
  ['amd', '/opt/rocm/lib', '/opt/rocm/lib'],
  ['amd', '/opt/rocm-7.2.0/lib', '/opt/rocm-7.2.0/lib'],
  ['amd', '/srv/rocm/lib', '/srv/rocm/lib', { ROCM_PATH: '/srv/rocm' }],
];
/** Where the driver lies meanwhile; the libraries for AMD lie beside it, since they are linked with it. */
const driverPlace = (vendor: SimulatedVendor, blas: string): string => (vendor === 'amd' ? blas : '/usr/lib/wsl/lib');

for (const [vendor, blas, collective, env] of OF_TOOLKITS) {
  test(
    `${vendor}: the library of products is found in ${blas}, and that of collectives in ${collective}`,
    { skip },
    async (t) => {
      const [products, collectives] = LIBRARIES[vendor];
      const root = await machineWith(t, vendor, driverPlace(vendor, blas), { more: [products], elsewhere: blas });
      const command = ['run', '--device', backendOf[vendor], '--benchmarks', 'gemm_fp16', '--engine', 'vendor'];
      const run = await runIn(root, [...command, '--time-scale', '0.02'], env);
      const engines = readRun(run.stdout, run.exitCode).result('fp16_tflops').details['engines'];
      assert.equal(
        (engines as { vendor: { library_path: string } }).vendor.library_path,
        join(blas, basename(products)),
      );

      const other = await machineWith(t, vendor, driverPlace(vendor, collective), {
        more: [collectives],
        elsewhere: collective,
      });
      const { stdout } = await runIn(other, ['collective', '--probe'], env);
      assert.match(stdout, new RegExp(`"status":"ok"[^\\n]*`));
    },
  );
}
