import { cardAddresses } from '../inventory/pci-cards.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import type { Cause, Environment, Situation } from './cause.ts';
import { attributesOf } from '../kernels/runner-events.ts';
import { deviceFiles } from './device-files.ts';
import { hidingVariable } from './hiding-variable.ts';
import { remedyOfSigns } from './signs-of-gpu.ts';
import { kernelDriver, moduleVersion } from './kernel-driver.ts';

/** A device that the runner lists as not usable, or a backend without a device. */
export interface UnusableDevice {
  vendor: string;
  status: string;
  attributes: Record<string, unknown>;
}

const NAMES: Readonly<Record<string, { driver: string; install: string; container: string; tools: string }>> = {
  nvidia: {
    driver: 'NVIDIA driver',
    install:
      'Install the driver: apt install nvidia-driver (Debian), ubuntu-drivers install (Ubuntu), or the one of your cloud image. The CUDA toolkit is not needed.',
    container: 'In a container: start it with --gpus all (NVIDIA container toolkit).',
    tools: 'nvidia-smi',
  },
  amd: {
    driver: 'AMD driver',
    install:
      'Install the amdgpu kernel driver and the HIP runtime (libamdhip64): see the ROCm installation guide, amdgpu-install --usecase=hip.',
    container: 'In a container: --device /dev/kfd --device /dev/dri, and the groups video and render.',
    tools: 'amd-smi, rocm-smi',
  },
};

/**
 * The causes that can be read from this machine, in the order in which they stand in a program's way; at least one.
 * @param beside the addresses in question; without them all cards of the vendor, none of which can be used
 */
export function whyUnusable(
  device: UnusableDevice,
  files: SystemFiles,
  env: Environment,
  beside: readonly string[] | null = null,
): Cause[] {
  const { mig_empty, driver_code } = attributesOf(device);
  const { vendor, status } = device;
  const cards = beside ?? cardAddresses(files, vendor);
  const situation: Situation = {
    vendor,
    status,
    code: driver_code ?? null,
    files,
    env,
    cards,
    others_work: beside !== null,
  };
  const known = [
    status === 'no-device' || mig_empty === true ? hidingVariable(situation) : null,
    mig_empty === true ? MIG_EMPTY : null,
    byCode(situation),
    ...(mig_empty === true ? [] : [kernelDriver(situation), deviceFiles(situation)]),
  ].filter((cause) => cause !== null);
  return known.length > 0 ? known : [otherwise(situation)];
}

/** The remedies of all causes as one text. */
export const remedyOf = (causes: readonly Cause[]): string =>
  [...new Set(causes.map(({ remedy }) => remedy))].filter((remedy) => remedy !== '').join(' ');

const MIG_EMPTY: Cause = {
  cause: 'no program can use such a card',
  remedy:
    'Create instances (nvidia-smi mig -lgip lists the profiles, nvidia-smi mig -cgi PROFILE -C creates one), or switch MIG off: nvidia-smi -i CARD -mig 0.',
};

/** Error numbers that name their cause. The kernel's module and the libraries have one version, except in a container. */
function byCode({ code, files, vendor }: Situation): Cause | null {
  const module = vendor === 'nvidia' ? moduleVersion(files) : null;
  switch (code) {
    case 803:
      return {
        cause: `the loaded kernel module${module === null ? '' : ` (${module})`} and the driver's libraries are of different versions, as after an update without a reboot`,
        remedy:
          'Reboot, or stop what uses the cards and reload the modules (modprobe -r nvidia_uvm nvidia_drm nvidia_modeset nvidia; modprobe nvidia_uvm). In a container use the libraries of the host’s driver: --gpus all.',
      };
    case 804:
      return {
        cause: 'the libraries of cuda-compat are loaded, which this card does not support',
        remedy: 'Take the folder of cuda-compat out of LD_LIBRARY_PATH, or update the driver.',
      };
    case 802:
      return {
        cause: 'the service that sets up NVLink between the cards is not ready',
        remedy:
          'Start nvidia-fabricmanager, of the same version as the driver (systemctl status nvidia-fabricmanager), and let it finish.',
      };
    case 35:
      return {
        cause: `the kernel driver${module === null ? '' : ` (${module})`} is older than the runtime`,
        remedy: 'Update the driver of the card.',
      };
    default:
      return null;
  }
}

/** Nothing on this machine says more than the runner. */
function otherwise({ vendor, status, cards, files }: Situation): Cause {
  const known = NAMES[vendor];
  const cause = cards.length === 0 ? 'no card of it is on the PCI bus' : '';
  if (status === 'driver-too-old') return { cause, remedy: 'Update the driver of the card.' };
  if (status === 'error' || known === undefined)
    return { cause, remedy: `Check the card with its vendor's tools (${known?.tools ?? 'nvidia-smi, rocm-smi'}).` };
  const special = remedyOfSigns(files, vendor);
  if (special !== null) return { cause, remedy: special };
  // A loaded module without its device files is what a container sees that got no card.
  const isLoaded = vendor === 'nvidia' ? moduleVersion(files) !== null : files.names('sys/module').includes('amdgpu');
  const remedies = isLoaded ? [known.container, known.install] : [known.install, known.container];
  return { cause, remedy: remedies.join(' ') };
}

export const driverName = (vendor: string): string => NAMES[vendor]?.driver ?? vendor;
