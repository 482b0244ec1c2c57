import { arch, cpus } from 'node:os';
import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import type { MeasuredDisk, SystemFacts } from '../run/host.ts';
import { amdCards } from './amd-cards.ts';
import { configId } from './config-id.ts';
import { diskInfo } from './disk-info.ts';
import { gpuInfo } from './gpu-info.ts';
import type { FoundCard } from './gpu-info.ts';
import { nvidiaCards } from './nvidia-cards.ts';
import { countOpenPorts } from './open-ports.ts';
import { probe } from './probe.ts';
import { processorModel } from './processor-model.ts';
import type { SystemFiles } from './system-files.ts';

const DISK_MS = 3_000;

export interface InventoryInput {
  files: SystemFiles;
  machine_uuid: string;
  location: string | null;
  /** Address of this machine towards the coordinator, null without one. */
  machine_ip: string | null;
  /** The measured devices' vendor (`cpu` where the processor itself is measured) and how many they are. */
  gpu_vendor: MachineInventory['gpu_vendor'];
  gpu_count: number;
  cards: FoundCard[];
  /** Of the disk that holds the agent's state; slow, and real only in the program. */
  measureDisk: () => Promise<MeasuredDisk>;
  probeSystem: () => Promise<SystemFacts>;
}

/** The machine as found. What could not be found out is null; `unavailable` says why, where it is not plain. */
export async function collectInventory(input: InventoryInput): Promise<MachineInventory> {
  const wants = (vendor: string): boolean => input.cards.some((card) => card.vendor === vendor);
  const none = { cards: [], warning: null };
  const [system, nvidia, amd] = await Promise.all([
    input.probeSystem(),
    wants('nvidia') ? nvidiaCards() : none,
    wants('amd') ? amdCards() : { ...none, source: 'amd-smi' },
  ]);
  // After the others: programs that start at the same time would cost the disk.
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

/** The processor flag says that there is a hypervisor, not which; its absence on x86 says that there is none. */
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
