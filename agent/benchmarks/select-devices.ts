import { ExitError } from '../cli/exit-error.ts';

/** A device as the runner lists it. */
export interface ListedDevice {
  device_id: string;
  backend: string;
  vendor: string;
  status: string;
  detail: string;
  name: string;
}

/**
 * The devices to measure. `auto`: every usable GPU, else the processor. A backend's name: its usable devices. Ids: those.
 * @throws ExitError usage for an id that does not exist, no_device where what was asked for cannot be used
 */
export function selectDevices<T extends ListedDevice>(devices: readonly T[], wanted: string): T[] {
  const usable = devices.filter((device) => device.status === 'ok');
  if (wanted === 'auto') {
    const cards = usable.filter((device) => device.backend !== 'cpu');
    const chosen = cards.length > 0 ? cards : usable;
    if (chosen.length === 0)
      throw new ExitError('no_device', 'no device of this machine can be measured', reasons(devices));
    return chosen;
  }
  const names = [...new Set(wanted.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length === 0) throw new ExitError('usage', '--device needs auto, cuda, rocm, cpu or device ids');
  return [...new Set(names.flatMap((name) => devicesNamed(devices, name)))];
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
