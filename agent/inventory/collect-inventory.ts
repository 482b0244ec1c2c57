import { arch, cpus } from 'node:os';
import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import type { MeasuredDisk, SystemFacts } from '../run/host.ts';
import { amdCards } from './amd-cards.ts';
import { configId } from './config-id.ts';
import { diskInfo } from './disk-info.ts';
import { gpuInfo, type FoundCard } from './gpu-info.ts';
import { nvidiaCards } from './nvidia-cards.ts';
import { probe } from './probe.ts';
import type { SystemFiles } from './system-files.ts';

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
  const ram_info = ramInfo(input.files, system);
  const programOf = (vendor: string): string => (vendor === 'amd' ? amd.source : 'nvidia-smi');
  const gpu_info = gpuInfo(input.cards, [...nvidia.cards, ...amd.cards], input.files, programOf);
  const ports = countOpenPorts(input.files);
  return {
    machine_uuid: input.machine_uuid,
    config_id: configId({
      arch: cpu_info.arch,
      processor: processorModel(input.files),
      processors: cpu_info.cpu_count,
      hardware_vendor: cpu_info.hardware_vendor,
      hardware_model: cpu_info.hardware_model,
      memory_bytes: ram_info.total_memory,
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
  return {
    cpu_count: processors.length === 0 ? null : processors.length,
    arch: arch(),
    os: prettyName(files.text('etc/os-release') ?? files.text('usr/lib/os-release')),
    hardware_vendor: files.text('sys/class/dmi/id/sys_vendor'),
    hardware_model: files.text('sys/class/dmi/id/product_name'),
    processor_brand: model !== '' && model !== 'unknown' ? model : system.brand,
    virtualization: system.hypervisor ?? virtualizationByFlag(files),
  };
}

/** The processor flag shows that there is a hypervisor, but not which one; on x86 its absence means that there is none. */
function virtualizationByFlag(files: SystemFiles): string | null {
  const flags = /^flags\s*:(.*)$/m.exec(files.text('proc/cpuinfo') ?? '')?.[1];
  if (flags === undefined) return null;
  return / hypervisor( |$)/.test(flags) ? 'virtual machine' : 'none';
}

function ramInfo(files: SystemFiles, system: SystemFacts): MachineInventory['ram_info'] {
  const kib = /^MemTotal:\s+(\d+) kB/m.exec(files.text('proc/meminfo') ?? '')?.[1];
  const { modules } = system;
  return {
    total_memory: kib === undefined ? null : Number(kib) * 1024,
    memory_module_count: modules?.count ?? null,
    memory_module_type: modules?.type ?? null,
    memory_module_speed: modules?.speed_mts == null ? null : `${modules.speed_mts} MT/s`,
  };
}

const prettyName = (release: string | null): string | null =>
  /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(release ?? '')?.[1] ?? null;

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
