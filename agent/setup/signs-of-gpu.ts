import { cardAddresses } from '../inventory/pci-cards.ts';
import type { SystemFiles } from '../inventory/system-files.ts';

/** Entries of /dev and /proc that only a machine with a GPU of the vendor has, whatever its PCI bus shows. */
const SIGNS: Readonly<Record<string, readonly { folder: string; pattern: RegExp; what: string }[]>> = {
  nvidia: [
    { folder: 'dev', pattern: /^nvidia(\d+|ctl)$/, what: 'the device file of an NVIDIA driver' },
    { folder: 'dev', pattern: /^dxg$/, what: 'the GPU of Windows, for WSL 2' },
    { folder: 'dev', pattern: /^nvhost(-.*)?$/, what: 'the GPU of a Tegra module (Jetson)' },
    { folder: 'proc/driver', pattern: /^nvidia$/, what: "NVIDIA's kernel module" },
  ],
  amd: [{ folder: 'dev', pattern: /^kfd$/, what: 'the device file of the amdgpu driver' }],
};

/**
 * What says that this machine has a GPU of a vendor, although the driver shows none: cards on the PCI bus, device files, or
 * a driver's library that is installed. Empty if nothing does.
 */
export function signsOfGpu(files: SystemFiles, vendor: string, status: string): string[] {
  const cards = cardAddresses(files, vendor);
  if (cards.length > 0) return [`${cards.length} ${cards.length === 1 ? 'card' : 'cards'} on the PCI bus`];
  const found = (SIGNS[vendor] ?? []).flatMap(({ folder, pattern, what }) => {
    const name = files.names(folder).find((entry) => pattern.test(entry));
    return name === undefined ? [] : [`/${folder}/${name} (${what})`];
  });
  // libcuda is a part of the driver. The HIP runtime is not: Debian's MPI brings it to machines without any GPU.
  return vendor === 'nvidia' && status === 'no-device' ? [...found, 'a driver library that is installed'] : found;
}

/** How to get the driver of a GPU without a PCI card; null for all other GPUs. */
export function remedyOfSigns(files: SystemFiles, vendor: string): string | null {
  const names = vendor === 'nvidia' ? files.names('dev') : [];
  if (names.includes('dxg'))
    return 'In WSL 2 the driver is that of Windows, and its library is /usr/lib/wsl/lib/libcuda.so.1: install the driver in Windows and let the loader find that folder (LD_LIBRARY_PATH).';
  if (names.some((name) => name.startsWith('nvhost')))
    return 'On a Tegra module the driver comes with JetPack (nvidia-l4t-cuda); in a container: --runtime nvidia.';
  return null;
}
