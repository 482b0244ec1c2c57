import { arch, cpus } from 'node:os';
import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import type { MeasuredDisk, SystemFacts } from '../run/host.ts';
import { cgroupMemory } from '../run/cgroup.ts';
import { amdCards } from './amd-cards.ts';
import { configId } from './config-id.ts';
import { diskInfo } from './disk-info.ts';
import { gpuInfo, type FoundCard } from './gpu-info.ts';
import { nvidiaCards } from './nvidia-cards.ts';
import { isPlaceholderName } from './placeholder.ts';
import { probe } from './probe.ts';
import type { SystemFiles } from './system-files.ts';
import { virtualization } from './virtualization.ts';

const DISK_MS = 3_000;

interface InventoryInput {
  files: SystemFiles;
  machine_uuid: string;
  /** The operator's, else the country reported by the coordinator, else null. */
  location: string | null;
  /** Local address of the connection to the coordinator; null without one. */
  machine_ip: string | null;
  /** Vendor of the measured devices (`cpu` if the processor itself is measured), and their number. */
  gpu_vendor: MachineInventory['gpu_vendor'];
  gpu_count: number;
  cards: FoundCard[];
  /** Measures the disk that holds the agent's state; slow, and replaced in tests. */
  measureDisk: () => Promise<MeasuredDisk>;
  probeSystem: () => Promise<SystemFacts>;
}

/** Takes the inventory. Unknown values are null; `unavailable` gives the reason, unless that is obvious. */
export async function collectInventory(input: InventoryInput): Promise<MachineInventory> {
  const wants = (vendor: string): boolean => input.cards.some((card) => card.vendor === vendor);
  const none = { cards: [], warning: null };
  const [system, nvidia, amd] = await Promise.all([
    input.probeSystem(),
    wants('nvidia') ? nvidiaCards() : none,
    wants('amd') ? amdCards() : { ...none, source: 'amd-smi' },
  ]);
  // After the others, since programs starting at the same time would slow down the disk.
  const disk = await probe('disk speed', DISK_MS, input.measureDisk);
  const cpu_info = cpuInfo(input.files, system);
  const memory_bytes = memoryOfMachine(input.files);
  const memory_limit = cgroupMemory((path) => input.files.text(path));
  const ram_info = ramInfo(memory_bytes, memory_limit, system);
  const hardware = hardwareNames(input.files);
  const programOf = (vendor: string): string => (vendor === 'amd' ? amd.source : 'nvidia-smi');
  const gpu_info = gpuInfo(input.cards, [...nvidia.cards, ...amd.cards], input.files, programOf);
  const ports = countOpenPorts(input.files);
  return {
    machine_uuid: input.machine_uuid,
    config_id: configId({
      arch: cpu_info.arch,
      processor: processorModel(input.files),
      processors: cpu_info.cpu_count,
      ...hardware,
      memory_bytes,
      cards: input.cards,
    }),
    location: input.location,
    gpu_vendor: input.gpu_vendor,
    gpu_count: input.gpu_count,
    cpu_info,
    gpu_info,
    ram_info,
    disk_info: diskInfo(input.files, disk.value),
    network_info: {
      download_speed_mbps: null,
      upload_speed_mbps: null,
      open_ports: ports === null ? null : String(ports),
      machine_ip: input.machine_ip,
    },
    unavailable: {
      network_speed: 'the coordinator offers no transfer to measure against, and no other server is contacted',
      ...limitReason(memory_bytes, memory_limit),
      ...processorReason(input.files, cpu_info.cpu_count),
      ...system.reasons,
      ...(nvidia.warning === null ? {} : { nvidia_smi: nvidia.warning }),
      ...(amd.warning === null ? {} : { amd_smi: amd.warning }),
      ...diskReason(disk.value?.reason ?? disk.reason, disk.value),
    },
  };
}

function diskReason(reason: string | null, measured: MeasuredDisk | null): Record<string, string> {
  const scope = 'measured only on the disk that holds the agent’s state';
  return { disk_speed: reason ?? (measured === null ? scope : `${scope} (device ${measured.device})`) };
}

function cpuInfo(files: SystemFiles, system: SystemFacts): MachineInventory['cpu_info'] {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? '';
  const { hardware_vendor, hardware_model } = hardwareNames(files);
  // Boards without firmware tables; the text ends with NUL.
  const board = files.text('sys/firmware/devicetree/base/model')?.replaceAll('\0', '').trim() ?? null;
  return {
    cpu_count: processors.length === 0 ? null : processors.length,
    arch: arch(),
    os: prettyName(files.text('etc/os-release') ?? files.text('usr/lib/os-release')),
    hardware_vendor: told(hardware_vendor),
    hardware_model: told(hardware_model) ?? told(board),
    processor_brand: model !== '' && model !== 'unknown' ? model : system.brand,
    virtualization: virtualization(files, system.hypervisor),
  };
}

/** As the firmware has them, placeholders included. */
function hardwareNames(files: SystemFiles): { hardware_vendor: string | null; hardware_model: string | null } {
  return {
    hardware_vendor: files.text('sys/class/dmi/id/sys_vendor'),
    hardware_model: files.text('sys/class/dmi/id/product_name'),
  };
}

const told = (name: string | null): string | null => (name === null || isPlaceholderName(name) ? null : name);

function memoryOfMachine(files: SystemFiles): number | null {
  const kib = /^MemTotal:\s+(\d+) kB/m.exec(files.text('proc/meminfo') ?? '')?.[1];
  return kib === undefined ? null : Number(kib) * 1024;
}

/** In a container or a job of a scheduler the memory that it may use, not that of the machine around it. */
function ramInfo(bytes: number | null, limit: number | null, system: SystemFacts): MachineInventory['ram_info'] {
  const { modules } = system;
  return {
    total_memory: bytes === null || limit === null ? bytes : Math.min(bytes, limit),
    memory_module_count: modules?.count ?? null,
    memory_module_type: modules?.type ?? null,
    memory_module_speed: modules?.speed_mts == null ? null : `${modules.speed_mts} MT/s`,
  };
}

function limitReason(bytes: number | null, limit: number | null): Record<string, string> {
  if (bytes === null || limit === null || limit >= bytes) return {};
  const [whole, part] = [bytes, limit].map((amount) => `${(amount / 1e9).toFixed(1)} GB`);
  return { memory_limit: `the machine has ${whole}, of which the cgroup of this process may use ${part}` };
}

/** os-release(5): a shell assignment, in single or double quotes with backslashes before quotes, or without. */
export function prettyName(release: string | null): string | null {
  const [, double, single, bare] =
    /^PRETTY_NAME=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S*))\s*$/m.exec(release ?? '') ?? [];
  return double?.replace(/\\(["$`\\])/g, '$1') ?? single ?? bare ?? null;
}

/** `Cpus_allowed_list:\t0-3,8` of proc_pid_status(5): a cpuset or an affinity may leave a part of the processors. */
function processorReason(files: SystemFiles, count: number | null): Record<string, string> {
  const list = /^Cpus_allowed_list:\s*([\d,-]+)$/m.exec(files.text('proc/self/status') ?? '')?.[1];
  if (list === undefined || count === null) return {};
  const ranges = list.split(',').map((range) => range.split('-').map(Number));
  const allowed = ranges.reduce((sum, [first = 0, last = first]) => sum + last - first + 1, 0);
  if (allowed >= count) return {};
  return { processor_limit: `the machine has ${count} processors, of which this process may use ${allowed}` };
}

/** State LISTEN in /proc/net/tcp (include/net/tcp_states.h). */
const LISTEN = '0A';

/** Number of distinct listening TCP ports, IPv4 and IPv6 together; null if unknown. */
export function countOpenPorts(files: SystemFiles): number | null {
  const tables = ['proc/net/tcp', 'proc/net/tcp6'].map((path) => files.text(path));
  if (tables.every((table) => table === null)) return null;
  const ports = new Set<string>();
  for (const table of tables) {
    for (const line of table?.split('\n').slice(1) ?? []) {
      const [, local, , state] = line.trim().split(/\s+/);
      const port = local?.split(':')[1];
      if (state === LISTEN && port !== undefined) ports.add(port);
    }
  }
  return ports.size;
}

/**
 * The processor's name in /proc/cpuinfo: `model name`, or on arm64, which has none, implementer and part of each kind
 * of core, such as `0x41/0xd0c`. Null if there is neither.
 */
export function processorModel(files: SystemFiles): string | null {
  const text = files.text('proc/cpuinfo') ?? '';
  const name = /^model name\s*:(.*)$/m.exec(text)?.[1]?.trim();
  if (name !== undefined && name !== '' && name !== 'unknown') return name;
  const cores = text.split(/\n\s*\n/).map((core) => {
    const [implementer, part] = ['implementer', 'part'].map(
      (field) => new RegExp(`^CPU ${field}\\s*:\\s*(\\S+)`, 'm').exec(core)?.[1],
    );
    return implementer === undefined || part === undefined ? null : `${implementer}/${part}`;
  });
  const kinds = new Set(cores.filter((core) => core !== null));
  return kinds.size === 0 ? null : [...kinds].toSorted().join(' ');
}
