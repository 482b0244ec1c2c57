import type { SystemFiles } from '../inventory/system-files.ts';
import type { Cause, Situation } from './cause.ts';

const BUS = 'sys/bus/pci/devices';

/** Drivers that hold a card for a virtual machine. */
const FOR_MACHINES = /^(vfio-pci|pci-stub|xen-pciback)$/;

interface Holder {
  holds: RegExp;
  cause: (where: string, driver: string) => string;
  remedy: string;
}

/** Kernel drivers that keep a card from its own. */
const HOLDERS: readonly Holder[] = [
  {
    holds: /^(nouveau|nova_core)$/,
    cause: (where, driver) => `the kernel driver ${driver} holds ${where}, instead of nvidia`,
    remedy:
      "Install NVIDIA's driver, keep nouveau from loading (blacklist nouveau in /etc/modprobe.d, then rebuild the initramfs) and reboot.",
  },
  {
    holds: /^radeon$/,
    cause: (where, driver) => `the kernel driver ${driver} holds ${where}, instead of amdgpu`,
    remedy: 'ROCm needs amdgpu: such a card is too old for it, or radeon must be kept from loading.',
  },
  {
    holds: FOR_MACHINES,
    cause: (where, driver) =>
      `${where} ${where.includes(',') ? 'are' : 'is'} reserved for virtual machines (${driver})`,
    remedy:
      'Measure inside the virtual machine that has the card, or give it back to its driver (driverctl unset-override).',
  },
];

/** What is the matter with the cards' kernel driver: another one holds them, or it is not loaded; null if nothing is. */
export function kernelDriver({ vendor, status, files, cards, others_work }: Situation): Cause | null {
  const held = cards.map((address) => ({
    address,
    driver: driverOf(files, address),
  }));
  for (const { holds, cause, remedy } of HOLDERS) {
    const group = held.filter(({ driver }) => driver !== undefined && holds.test(driver));
    const [first] = group;
    if (first?.driver === undefined) continue;
    return { cause: cause(group.map(({ address }) => address).join(', '), first.driver), remedy };
  }
  const isInstalled = !others_work && (status === 'no-device' || status === 'error');
  const isUnheld = held.length > 0 && held.every(({ driver }) => driver === undefined);
  if (vendor !== 'nvidia' || !isInstalled || !isUnheld || moduleVersion(files) !== null) return null;
  return {
    cause: "the driver's libraries are installed, but its kernel module is not loaded",
    remedy:
      'Load it: modprobe nvidia. If that fails, dmesg says why: after an update of the kernel it must be built again (dkms autoinstall), with Secure Boot it must be signed.',
  };
}

/** Whether a card is given to virtual machines on purpose. */
export const isReserved = (files: SystemFiles, address: string): boolean =>
  FOR_MACHINES.test(driverOf(files, address) ?? '');

const driverOf = (files: SystemFiles, address: string): string | undefined =>
  files.link(`${BUS}/${address}/driver`).value?.split('/').at(-1);

/** `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.126.09  Release Build ...` */
export const moduleVersion = (files: SystemFiles): string | null =>
  /Kernel Module.*?\s(\d+\.\d+(?:\.\d+)?)\s/.exec(`${files.text('proc/driver/nvidia/version') ?? ''} `)?.[1] ?? null;
