import type { MachineInventory } from '../../contract/inventory.ts';
import type { TaskDetail } from '../../contract/task.ts';

/** Memory is sold in binary gigabytes, disks in decimal ones; each is shown as it is sold. */
const GIB = 2 ** 30;
const GB = 1e9;

/** The stored inventory in the shape of a task's detail. What the machine did not report is null. */
export function inventoryOnWire(
  machine: MachineInventory,
  gpuModel: string | null,
): NonNullable<TaskDetail['inventory']> {
  const { cpu_info: cpu, ram_info: ram, network_info: network } = machine;
  const gpu = machine.gpu_info[0];
  const disk = machine.disk_info.toSorted((a, b) => (b.size ?? 0) - (a.size ?? 0))[0];
  return {
    machine_id: machine.machine_uuid,
    config_id: machine.config_id,
    cpu: {
      processor: cpu.processor_brand,
      count: cpu.cpu_count,
      os: cpu.os,
      arch: cpu.arch,
      virtualization_type: cpu.virtualization,
    },
    gpu: {
      vendor: machine.gpu_vendor,
      model: gpu?.name ?? gpuModel,
      count: machine.gpu_count,
      memory_gb: inUnit(gpu?.total_memory, GIB),
      network_type: pciLink(gpu?.pci_info),
      driver_version: gpu?.driver_version ?? null,
      cuda_version: gpu?.cuda_version ?? null,
    },
    disk: { model: disk?.model ?? null, size_gb: inUnit(disk?.size, GB), technology: technologyOf(disk) },
    memory: { total_gb: inUnit(ram.total_memory, GIB), type: ram.memory_module_type },
    network: {
      machine_ip: network.machine_ip,
      open_ports: network.open_ports,
      upload_speed_mbps: network.upload_speed_mbps,
      download_speed_mbps: network.download_speed_mbps,
    },
    location: machine.location,
  };
}

const inUnit = (bytes: number | null | undefined, unit: number): number | null =>
  bytes === null || bytes === undefined ? null : Number((bytes / unit).toFixed(1));

/** How the GPU is attached, as far as the inventory says: its PCIe link. */
function pciLink(pci: MachineInventory['gpu_info'][number]['pci_info'] | undefined): string | null {
  if (pci?.generation_max == null || pci.link_width_max == null) return null;
  return `PCIe ${pci.generation_max}.0 x${pci.link_width_max}`;
}

function technologyOf(disk: MachineInventory['disk_info'][number] | undefined): string | null {
  if (!disk) return null;
  if (/nvme/i.test(`${disk.type ?? ''} ${disk.name ?? ''}`)) return 'NVMe SSD';
  // The kernel reports virtual disks as rotating, whatever is underneath.
  if (disk.rota === null || disk.type === 'virtio') return disk.type;
  return disk.rota ? 'HDD' : 'SSD';
}
