import { availableParallelism } from 'node:os';
import { statfsSync } from 'node:fs';
import { signalsOf } from '../health/compare-readings.ts';
import { readNode } from '../health/read-node.ts';
import { selectDevices } from './select-devices.ts';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { cgroupMemoryLeft } from '../run/cgroup.ts';
import { ALLOW_NETLINK, listInterfaces } from '../run/interfaces.ts';
import { SystemFiles } from '../inventory/system-files.ts';
import { listDevices } from '../kernels/list-devices.ts';
import type { DeviceEvent } from '../kernels/runner-events.ts';
import { readRunnerVersion } from '../kernels/runner-version.ts';
import { selfTest } from '../kernels/self-test.ts';
import { broken, missing, note, ok, type Check } from './check.ts';
import type { Environment } from './cause.ts';
import { checkGpuDrivers } from './check-gpu-drivers.ts';
import { findRunner } from './find-runner.ts';
import { stateDirectory } from '../state/private-directory.ts';
import { chooseEndpoints } from '../links/choose-endpoints.ts';

/** A result takes less than a megabyte; the rest is the reserve, the unpacked runner and the disk probe. */
const DISK_BYTES_MIN = 300e6;
/** Twice what arrays of four times a large last-level cache need. */
const MEMORY_BYTES_MIN = 2e9;

/** The checks of `doctor` and `--setup`, in the order in which a run needs them. */
export async function examineMachine(host: Host, device: string): Promise<Check[]> {
  const files = new SystemFiles(host.system_root);
  const checks = [
    checkPlatform(),
    checkMemory(files),
    await guarded('state', 'usage', () => Promise.resolve(checkState(host))),
    checkLinks(host, files),
  ];
  try {
    const runner = await findRunner(host);
    const version = await readRunnerVersion(runner);
    checks.push(ok('runner', `${runner} (${version.arch}, ${version.isa.join(', ') || 'no vector units'})`));
    const devices = await listDevices(runner);
    checks.push(
      ...checkGpuDrivers(files, devices, host.env),
      ...(await checkDevices(runner, devices, device, files, host.env)),
      await checkSignals(host, files, devices),
    );
  } catch (error) {
    checks.push(failed('runner', 'kernel', error));
  }
  return checks;
}

function checkPlatform(): Check {
  const found = `${process.platform} ${process.arch}, ${availableParallelism()} processors for this process`;
  return process.platform === 'linux'
    ? ok('platform', found)
    : broken('platform', found, 'The runner is built for Linux.', 'no_device');
}

function checkMemory(files: SystemFiles): Check {
  const kib = Number(/^MemAvailable:\s+(\d+) kB/m.exec(files.text('proc/meminfo') ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(kib)) return note('memory', 'the available memory is unknown');
  const left = cgroupMemoryLeft((path) => files.text(path));
  const bytes = Math.min(kib * 1024, left ?? Number.POSITIVE_INFINITY);
  const found = `${(bytes / 1e9).toFixed(1)} GB available${bytes < kib * 1024 ? ', by the limit of the cgroup' : ''}`;
  return bytes >= MEMORY_BYTES_MIN
    ? ok('memory', found)
    : missing('memory', found, 'With less than 2 GB the memory figures may be missing.');
}

function checkState(host: Host): Check {
  const directory = stateDirectory(host);
  const { bavail, bsize } = statfsSync(directory);
  const found = `${directory}, ${((bavail * bsize) / 1e9).toFixed(1)} GB free`;
  if (bavail * bsize >= DISK_BYTES_MIN) return ok('state', found);
  return missing(
    'state',
    found,
    'Free some space, or set GPUMARK_STATE_DIR to another disk: results are kept there until delivered.',
  );
}

async function checkDevices(
  runner: string,
  devices: DeviceEvent[],
  wanted: string,
  files: SystemFiles,
  env: Environment,
): Promise<Check[]> {
  let chosen: DeviceEvent[];
  try {
    chosen = selectDevices(devices, wanted, files, env);
  } catch (error) {
    return [failed('devices', 'kernel', error)];
  }
  return await Promise.all(
    chosen.map((device) =>
      guarded(device.device_id, 'kernel', async () => {
        const { passed, problems } = await selfTest(runner, device.device_id);
        if (passed) return ok(device.device_id, `${device.name}, self-test passed`);
        return broken(
          device.device_id,
          `${device.name}: ${problems.join('; ')}`,
          'Measure nothing on it until this passes.',
          'kernel',
        );
      }),
    ),
  );
}

/** More reasons are counted. */
const REASONS_SHOWN = 6;

/** How many of the machine's signals of health a run can read, and why not the others. */
async function checkSignals({ clock }: Host, files: SystemFiles, devices: DeviceEvent[]): Promise<Check> {
  const usable = devices.filter(({ status }) => status === 'ok');
  const signals = signalsOf(await readNode({ files, devices: usable, clock }));
  const reasons = Map.groupBy(
    signals.filter(({ value }) => value === null),
    ({ not_read: reason = 'unknown' }) => reason,
  );
  const missed = [...reasons].map(([reason, group]) => {
    const names = [...new Set(group.map(({ signal }) => signal))];
    return `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}: ${reason}`;
  });
  const unread = signals.filter(({ value }) => value === null).length;
  const found = `${signals.length - unread} of ${signals.length} signals of this machine can be read`;
  if (unread === 0) return ok('health signals', found);
  const further = missed.length > REASONS_SHOWN ? [`${missed.length - REASONS_SHOWN} more reasons`] : [];
  return note('health signals', `${found}; not read: ${[...missed.slice(0, REASONS_SHOWN), ...further].join('; ')}`);
}

async function guarded(name: string, exit: 'usage' | 'kernel', check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return failed(name, exit, error);
  }
}

function failed(name: string, exit: 'usage' | 'kernel', error: unknown): Check {
  const message = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof Error && 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : null;
  return broken(name, message, remedy, error instanceof ExitError ? error.reason : exit);
}

/**
 * The addresses at which other nodes of a job would reach this one, without options. Only jobs with cluster_network
 * need them.
 */
function checkLinks(host: Host, files: SystemFiles): Check {
  const { interfaces, problem } = listInterfaces(host);
  if (problem !== null)
    return missing('links', `${problem}: in jobs that measure links this node only dials`, `${ALLOW_NETLINK}.`);
  const { candidates, notes } = chooseEndpoints(files, interfaces, {
    interfaces: null,
    allow_public: false,
  });
  if (candidates.length === 0) return note('links', `for jobs that measure links between nodes: ${notes.join('; ')}`);
  const places = candidates.map(({ address, interface: name, speed_mbps: speed }) =>
    speed === null ? `${address} on ${name}` : `${address} on ${name} (${speed / 1000} Gb/s)`,
  );
  return ok('links', `between nodes by ${places.join(', ')}`);
}
