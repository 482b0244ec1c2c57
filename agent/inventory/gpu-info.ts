import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import type { NvidiaCard } from './nvidia-cards.ts';
import { shortAddress } from './pci-cards.ts';
import type { SystemFiles } from './system-files.ts';

type GpuInfo = MachineInventory['gpu_info'][number];

/** A card as the runner found it; `pci_id` like 0000:17:00.0. */
export interface FoundCard {
  device_id: string;
  vendor: string;
  name: string;
  pci_id: string | null;
  memory_bytes: number | null;
  driver_version: string | null;
  cuda_version: string | null;
}

/** The runner decides which cards there are; nvidia-smi and the kernel's PCI directory add what they know of each. */
export function gpuInfo(found: FoundCard[], nvidia: NvidiaCard[], files: SystemFiles): GpuInfo[] {
  return found.map((card) => {
    const known = nvidia.find((other) => other.uuid === card.device_id || samePciAddress(other.pci_id, card.pci_id));
    return {
      name: known?.name ?? card.name,
      total_memory: known?.total_memory ?? card.memory_bytes,
      driver_version: known?.driver_version ?? card.driver_version,
      cuda_version: known?.cuda_version ?? card.cuda_version,
      pci_info: known?.pci_info ?? pciLink(files, card.pci_id),
    };
  });
}

/** nvidia-smi writes an eight-digit domain and capitals, the kernel four digits and small letters. */
function samePciAddress(one: string, other: string | null): boolean {
  return other !== null && one !== '' && shortAddress(one) === shortAddress(other);
}

/** PCIe generation by the transfer rate of one lane in GT/s (PCI Express base specifications 1 to 6). */
const GENERATIONS = new Map([
  [2.5, 1],
  [5, 2],
  [8, 3],
  [16, 4],
  [32, 5],
  [64, 6],
]);

function pciLink(files: SystemFiles, pciId: string | null): GpuInfo['pci_info'] {
  if (pciId === null) return null;
  const read = (name: string): number =>
    Number.parseFloat(files.text(`sys/bus/pci/devices/${shortAddress(pciId)}/${name}`) ?? '');
  const width = (name: string): number | null => (read(name) > 0 ? read(name) : null);
  return {
    generation_max: GENERATIONS.get(read('max_link_speed')) ?? null,
    generation_current: GENERATIONS.get(read('current_link_speed')) ?? null,
    link_width_max: width('max_link_width'),
    link_width_current: width('current_link_width'),
  };
}
