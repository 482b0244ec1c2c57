import { countCards } from '../inventory/pci-cards.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import type { DeviceEvent } from '../kernels/runner-events.ts';
import { missing, note, ok } from './check.ts';
import type { Check } from './check.ts';

interface Vendor {
  vendor: 'nvidia' | 'amd';
  name: string;
  /** Device files a process needs; a container gets them only when started with them. */
  device_files: { directory: string; pattern: RegExp };
  install: string;
  container: string;
}

const VENDORS: readonly Vendor[] = [
  {
    vendor: 'nvidia',
    name: 'NVIDIA driver',
    device_files: { directory: 'dev', pattern: /^nvidia\d+$/ },
    install:
      'Install the driver: apt install nvidia-driver (Debian), ubuntu-drivers install (Ubuntu), or the one of your cloud image. The CUDA toolkit is not needed.',
    container: 'In a container: start it with --gpus all (NVIDIA container toolkit).',
  },
  {
    vendor: 'amd',
    name: 'AMD driver',
    device_files: { directory: 'dev', pattern: /^kfd$/ },
    install:
      'Install the amdgpu kernel driver and the HIP runtime (libamdhip64): see the ROCm installation guide, amdgpu-install --usecase=hip.',
    container: 'In a container: --device /dev/kfd --device /dev/dri, and the groups video and render.',
  },
];

/** Checks the cards on the PCI bus against the driver as seen by the runner. */
export function checkGpuDrivers(files: SystemFiles, devices: DeviceEvent[]): Check[] {
  return VENDORS.map((vendor) => {
    const cards = countCards(files, vendor.vendor);
    const seen = devices.filter((device) => device.vendor === vendor.vendor);
    const usable = seen.filter((device) => device.status === 'ok').length;
    if (usable > 0) return ok(vendor.name, `${usable} usable of ${Math.max(usable, cards)} cards`);
    const why =
      seen.map((device) => `${device.status}: ${device.detail}`).join('; ') || 'not looked for by this runner';
    if (cards === 0) return note(vendor.name, `no card on the PCI bus (${why})`);
    const remedy = gpuRemedy(files, vendor.vendor, seen[0]?.status ?? 'no-driver');
    return missing(vendor.name, `${cards} cards on the PCI bus, none usable: ${why}`, remedy);
  });
}

/** Remedy for a card of `vendor` that the runner reports as not ok. */
export function gpuRemedy(files: SystemFiles, vendor: string, status: string): string {
  const known = VENDORS.find((one) => one.vendor === vendor);
  if (status === 'driver-too-old') return 'Update the driver of the card.';
  if (status === 'error' || known === undefined)
    return "Check the card with its vendor's tools (nvidia-smi, rocm-smi).";
  const { directory, pattern } = known.device_files;
  const hasFiles = files.names(directory).some((name) => pattern.test(name));
  return hasFiles
    ? `${known.install} Also check that this user may open the device files in /${directory}.`
    : `${known.install} ${known.container}`;
}
