import type { MachineInventory } from '../../coordinator/contract/inventory.ts';

export type GpuInfo = MachineInventory['gpu_info'][number];
export type PciInfo = NonNullable<GpuInfo['pci_info']>;

/** A card as one source describes it; null or absent if that source does not say. */
export interface CardFacts {
  uuid?: string | null;
  vbios?: string | null;
  serial?: string | null;
  ecc_mode?: 'enabled' | 'disabled' | null;
  power_cap_watts?: number | null;
  mig_enabled?: boolean | null;
  partition?: { compute: string | null; memory: string | null } | null;
  driver_version?: string | null;
  cuda_version?: string | null;
  pci_info?: PciInfo | null;
}

/** A card as the vendor's own program knows it; the PCI address in that program's spelling. */
export interface KnownCard extends CardFacts {
  pci_id: string;
  name: string | null;
  total_memory: number | null;
}
