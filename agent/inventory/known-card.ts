import type { MachineInventory } from '../../coordinator/contract/inventory.ts';

export type GpuInfo = MachineInventory['gpu_info'][number];
export type PciInfo = NonNullable<GpuInfo['pci_info']>;

/** Facts about a card from one source; null or absent if unknown there. */
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

/** A card as reported by the vendor's program; the PCI address in that program's format. */
export interface KnownCard extends CardFacts {
  pci_id: string;
  name: string | null;
  total_memory: number | null;
}
