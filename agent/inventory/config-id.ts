import { canonicalJson } from '../../coordinator/contract/result-key.ts';
import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import { uuidV5 } from './uuid-v5.ts';

/** Drawn once at random for this purpose. */
const CONFIGURATION_NAMESPACE = '09913edd-6523-4221-9b0a-357fa1bcf8c3';
const GIB = 2 ** 30;

/**
 * The same for machines built alike: processor, memory and cards, without serials, disks, software and anything that
 * only root may read. Memory is rounded to GiB, since the kernel keeps some back depending on its version.
 */
export function configId(inventory: Pick<MachineInventory, 'cpu_info' | 'ram_info' | 'gpu_info'>): string {
  const { cpu_info, ram_info, gpu_info } = inventory;
  const configuration = {
    arch: cpu_info.arch,
    processor: cpu_info.processor_brand,
    processors: cpu_info.cpu_count,
    hardware_vendor: cpu_info.hardware_vendor,
    hardware_model: cpu_info.hardware_model,
    memory_gib: ram_info.total_memory === null ? null : Math.round(ram_info.total_memory / GIB),
    cards: gpu_info.map((card) => `${card.name ?? '?'} ${card.total_memory ?? '?'}`).toSorted(),
  };
  return uuidV5(CONFIGURATION_NAMESPACE, canonicalJson(configuration));
}
