import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { cardAddresses } from '../../inventory/pci-cards.ts';
import type { SystemFiles } from '../../inventory/system-files.ts';
import type { PerftestFeatures } from './perftest-features.ts';

/** perftest's options for the memory of one GPU. */
export interface GpuMemory {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** For each rail, in the order of `devices`, the GPU nearest to it on the PCI bus; or why GPU memory cannot be used. */
export function findGpuMemory(
  files: SystemFiles,
  features: PerftestFeatures,
  devices: readonly string[],
): GpuMemory[] | string {
  const nvidia = cardAddresses(files, 'nvidia');
  if (nvidia.length > 0) return cudaMemory(files, features, devices, nvidia);
  const amd = cardAddresses(files, 'amd');
  if (amd.length > 0) return rocmMemory(files, features, devices, amd);
  return 'no GPU on the PCI bus';
}

function cudaMemory(
  files: SystemFiles,
  features: PerftestFeatures,
  devices: readonly string[],
  gpus: string[],
): GpuMemory[] | string {
  if (!features.cuda)
    return `perftest ${features.version} is built without CUDA (no --use_cuda): GPU memory is not measured`;
  const peer = files.names('sys/module').includes('nvidia_peermem');
  const open = (files.text('proc/driver/nvidia/version') ?? '').includes('Open Kernel Module');
  // NVIDIA exposes GPU memory through the module nvidia_peermem, or as dma-buf, which needs the open kernel modules.
  if (!peer && !(open && features.cuda_dmabuf)) {
    return 'GPU memory cannot be registered: no module nvidia_peermem, and no dma-buf (open kernel modules and --use_cuda_dmabuf)';
  }
  const seen = files.names('dev').filter((name) => /^nvidia\d+$/.test(name)).length;
  // The driver numbers only the GPUs visible to this process; the PCI bus shows those of the whole host.
  if (!features.cuda_bus_id && seen !== gpus.length) {
    return `${seen} of ${gpus.length} GPUs are visible to this process, and perftest ${features.version} selects them by number only`;
  }
  const lend = peer ? [] : ['--use_cuda_dmabuf'];
  return nearest(files, devices, gpus).map((gpu) => ({
    args: [features.cuda_bus_id ? `--use_cuda_bus_id=${gpu}` : `--use_cuda=${gpus.indexOf(gpu)}`, ...lend],
    env: { CUDA_DEVICE_ORDER: 'PCI_BUS_ID' },
  }));
}

function rocmMemory(
  files: SystemFiles,
  features: PerftestFeatures,
  devices: readonly string[],
  gpus: string[],
): GpuMemory[] | string {
  if (!features.rocm)
    return `perftest ${features.version} is built without ROCm (no --use_rocm): GPU memory is not measured`;
  const peer = files.names('sys/kernel/mm/memory_peers').includes('amdkfd');
  if (!peer && !features.rocm_dmabuf)
    return 'GPU memory cannot be registered: no amdkfd among the memory peers, and no --use_rocm_dmabuf';
  const lend = peer ? [] : ['--use_rocm_dmabuf'];
  return nearest(files, devices, gpus).map((gpu) => ({ args: [`--use_rocm=${gpus.indexOf(gpu)}`, ...lend], env: {} }));
}

/**
 * The GPU that shares the longest path from the PCI root with the device; equally near ones are assigned round-robin.
 */
function nearest(files: SystemFiles, devices: readonly string[], gpus: readonly string[]): string[] {
  const taken = new Map<string, number>();
  return devices.map((device) => {
    const path = pciPathOf(files, `sys/class/infiniband/${device}/device`);
    const score = (gpu: string): number => shared(path, pciPathOf(files, `sys/bus/pci/devices/${gpu}`));
    const best = gpus.toSorted((a, b) => score(b) - score(a) || (taken.get(a) ?? 0) - (taken.get(b) ?? 0))[0] ?? '';
    taken.set(best, (taken.get(best) ?? 0) + 1);
    return best;
  });
}

/** Bridges from the root of the PCI bus to the device. */
function pciPathOf(files: SystemFiles, path: string): string[] {
  try {
    return realpathSync(join(files.root, path)).split('/');
  } catch {
    return [];
  }
}

function shared(a: readonly string[], b: readonly string[]): number {
  const first = a.findIndex((step, index) => step !== b[index]);
  return first === -1 ? a.length : first;
}
