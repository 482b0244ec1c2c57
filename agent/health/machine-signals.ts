import { cgroupCpu, cgroupMemory } from '../run/cgroup.ts';
import type { Probed } from '../inventory/probe.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { PCI } from './pci-device.ts';
import { converted, level, notRead, read, type Reading } from './reading.ts';

/** Settings of the system that figures depend on. `none` is a limit or a mark that is not there. */
export function machineSignals(files: SystemFiles, makers: ReadonlySet<string>): Reading[] {
  return [
    level('transparent_hugepages', null, converted(files.read('sys/kernel/mm/transparent_hugepage/enabled'), chosenOf)),
    level('cpu_governor', null, governor(files)),
    level('cpu_quota_cores', null, read(cgroupCpu((path) => files.text(path)) ?? 'none')),
    level('memory_limit_bytes', null, memoryLimit(files)),
    level('kernel_taint', null, converted(files.read('proc/sys/kernel/tainted'), lettersOf)),
    ...(makers.has('nvswitch') ? [level('nvidia_fabricmanager', null, fabricManager(files))] : []),
    ...driverSignals(files, makers),
  ];
}

/** `always [madvise] never` */
const chosenOf = (text: string): string | null => /\[([a-z]{1,20})\]/.exec(text)?.[1] ?? null;

const POLICIES = 'sys/devices/system/cpu/cpufreq';
const POLICIES_MAX = 4096;

/** `performance`; of processors that differ, each with its number of them: `performance (100), powersave (28)`. */
function governor(files: SystemFiles): Probed<string> {
  const policies = files.names(POLICIES).filter((name) => /^policy\d{1,5}$/.test(name));
  if (policies.length === 0) return notRead('the system does not control the frequency, as in most virtual machines');
  const answers = policies.slice(0, POLICIES_MAX).map((name) => governorOf(files, `${POLICIES}/${name}`));
  const names = answers.flatMap(({ value }) => value ?? []);
  if (names.length === 0) return notRead(answers[0]?.reason ?? 'unknown');
  const groups = [...Map.groupBy(names, (name) => name)].toSorted(([, a], [, b]) => b.length - a.length);
  return read(
    groups.length === 1 ? (names[0] ?? '') : groups.map(([name, group]) => `${name} (${group.length})`).join(', '),
  );
}

/**
 * Drivers that choose the frequency themselves: their `powersave` is the usual setting of servers, which follows the load, unlike
 * the governor of this name (Documentation/admin-guide/pm/intel_pstate.rst, amd-pstate.rst: active mode).
 */
const OWN_CHOICE = new Set(['intel_pstate', 'amd-pstate-epp', 'amd_pstate_epp']);

/** Those of the kernel (Documentation/admin-guide/pm/cpufreq.rst). */
const GOVERNORS = new Set(['performance', 'powersave', 'userspace', 'ondemand', 'conservative', 'schedutil']);

function governorOf(files: SystemFiles, policy: string): Probed<string> {
  const name = converted(files.read(`${policy}/scaling_governor`), (text) => (GOVERNORS.has(text) ? text : null));
  const driver = files.read(`${policy}/scaling_driver`).value ?? '';
  return name.value !== null && OWN_CHOICE.has(driver) ? read(`${name.value} of ${driver}`) : name;
}

/** Version 1 of cgroups writes a number beyond all memory where there is no limit. */
function memoryLimit(files: SystemFiles): Probed<number | string> {
  const limit = cgroupMemory((path) => files.text(path));
  const kib = /^MemTotal:\s+(\d{1,15}) kB/m.exec(files.text('proc/meminfo') ?? '')?.[1];
  if (limit === null) return read('none');
  if (kib === undefined) return Number.isSafeInteger(limit) ? read(limit) : read('none');
  return read(limit >= Number(kib) * 1024 ? 'none' : limit);
}

/** Bit 0 on (Documentation/admin-guide/tainted-kernels.rst; J by include/linux/panic.h). */
const TAINTS = 'PFSRMBUDAWCIOELKXTNJ';

/** `POE`: the letters of the reasons, in the kernel's order. */
function lettersOf(text: string): string | null {
  if (!/^\d{1,10}$/.test(text)) return null;
  const bits = BigInt(text);
  const set = Array.from({ length: 34 }, (_, bit) => bit).filter((bit) => (bits >> BigInt(bit)) & 1n);
  return set.map((bit) => TAINTS[bit] ?? ` (bit ${bit})`).join('') || 'none';
}

/** comm has at most 15 characters (proc_pid_comm(5)). */
const FABRIC_MANAGER = 'nv-fabricmanager'.slice(0, 15);
/** Of the machine itself, PROC_PID_INIT_INO of linux/proc_ns.h: in another namespace its processes cannot be seen. */
const OUTERMOST = 'pid:[4026531836]';
const PROCESSES_MAX = 20_000;

/** Without it the NVSwitches of HGX machines up to Hopper connect nothing. */
function fabricManager(files: SystemFiles): Probed<string> {
  const processes = files.names('proc').filter((name) => /^\d{1,7}$/.test(name));
  if (processes.slice(0, PROCESSES_MAX).some((id) => files.text(`proc/${id}/comm`) === FABRIC_MANAGER))
    return read('running');
  if (processes.length > PROCESSES_MAX) return notRead(`there are ${processes.length} processes`);
  if (files.link('proc/self/ns/pid').value !== OUTERMOST)
    return notRead('this container cannot see the processes of its host');
  const isInstalled = files.names('usr/bin').includes('nv-fabricmanager');
  return read(isInstalled ? 'not running' : 'not installed');
}

/** Class of an NVSwitch: bridge of another kind. */
const SWITCH_CLASS = /^0x0680/;

/** Whose devices the machine has, besides the measured ones. */
export const hasNvswitch = (files: SystemFiles): boolean =>
  files
    .names(PCI)
    .some(
      (address) =>
        SWITCH_CLASS.test(files.text(`${PCI}/${address}/class`) ?? '') &&
        files.text(`${PCI}/${address}/vendor`) === '0x10de',
    );

/** amdgpu has a version of its own unless it came with the kernel. */
function driverSignals(files: SystemFiles, makers: ReadonlySet<string>): Reading[] {
  const drivers = [...(makers.has('nvidia') ? ['nvidia'] : []), ...(makers.has('amd') ? ['amdgpu'] : [])];
  return drivers.map((driver) =>
    level('gpu_driver_version', drivers.length > 1 ? driver : null, driverVersion(files, driver)),
  );
}

function driverVersion(files: SystemFiles, driver: string): Probed<string> {
  const version = converted(files.read(`sys/module/${driver}/version`), (text) =>
    /^[\w.+~-]{1,60}$/.test(text) ? text : null,
  );
  if (version.value !== null) return version;
  const kernel = files.text('proc/sys/kernel/osrelease');
  const isOfKernel = driver === 'amdgpu' && files.names('sys/module').includes(driver) && kernel !== null;
  return isOfKernel ? read(`of the kernel ${kernel}`) : notRead(`/sys/module/${driver}/version: ${version.reason}`);
}
