import { ExitError } from '../run/exit-error.ts';
import { countCards } from '../inventory/pci-cards.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { gpuRemedy } from './check-gpu-drivers.ts';

/** A device as listed by the runner. */
export interface ListedDevice {
  device_id: string;
  backend: string;
  vendor: string;
  status: string;
  detail: string;
  name: string;
}

/**
 * The devices to measure. `auto`: every usable GPU, or the processor on a machine without a GPU; an error if no GPU
 * works, since the processor's figures would be mistaken for the machine's. A backend's name: its usable devices. Ids:
 * those devices.
 * @param files for reading the PCI bus
 * @throws ExitError usage for an unknown id, no_device if a requested device is unusable
 */
export function selectDevices<T extends ListedDevice>(devices: readonly T[], wanted: string, files: SystemFiles): T[] {
  const usable = devices.filter((device) => device.status === 'ok');
  if (wanted === 'auto') {
    const cards = usable.filter((device) => device.backend !== 'cpu');
    if (cards.length > 0) return cards;
    refuseBrokenCards(devices, files);
    if (usable.length === 0)
      throw new ExitError('no_device', 'no device of this machine can be measured', reasons(devices));
    return usable;
  }
  const names = [...new Set(wanted.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length === 0) throw new ExitError('usage', '--device needs auto, cuda, rocm, cpu or device ids');
  return [...new Set(names.flatMap((name) => devicesNamed(devices, name)))];
}

/** @throws ExitError no_device if a backend fails, or does not see a card that is on the PCI bus */
function refuseBrokenCards(devices: readonly ListedDevice[], files: SystemFiles): void {
  const broken = devices.filter(
    ({ backend, status, vendor }) =>
      backend !== 'cpu' && (status === 'error' || status === 'driver-too-old' || countCards(files, vendor) > 0),
  );
  if (broken.length === 0) return;
  const states = broken.map(({ device_id, status, detail }) => `${device_id}: ${status} (${detail})`);
  const remedies = new Set(broken.map(({ status, vendor }) => gpuRemedy(files, vendor, status)));
  throw new ExitError(
    'no_device',
    `this machine has a GPU that cannot be measured: ${states.join('; ')}`,
    `${[...remedies].join(' ')} To measure the processor on purpose: --device cpu`,
  );
}

function devicesNamed<T extends ListedDevice>(devices: readonly T[], name: string): T[] {
  const matching = devices.filter((device) => device.device_id === name || device.backend === name);
  if (matching.length === 0) {
    const known = devices.filter((device) => device.status === 'ok').map((device) => device.device_id);
    throw new ExitError(
      'usage',
      `no device is called '${name}'`,
      `This machine has: ${known.join(', ') || 'none'}. See gpumark-agent --list.`,
    );
  }
  const usable = matching.filter((device) => device.status === 'ok');
  if (usable.length === 0) throw new ExitError('no_device', `${name} cannot be measured`, reasons(matching));
  return usable;
}

function reasons(devices: readonly ListedDevice[]): string {
  const lines = devices
    .filter((device) => device.status !== 'ok')
    .map((device) => `${device.device_id}: ${device.status} (${device.detail})`);
  return `${lines.join('; ')}. gpumark-agent doctor says how to get what is missing.`;
}
