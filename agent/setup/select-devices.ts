import { ExitError } from '../run/exit-error.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { attributesOf } from '../kernels/runner-events.ts';
import type { Environment } from './cause.ts';
import { signsOfGpu } from './signs-of-gpu.ts';
import { remedyOf, whyUnusable } from './why-unusable.ts';

/** A device as listed by the runner. */
export interface ListedDevice {
  device_id: string;
  backend: string;
  vendor: string;
  status: string;
  detail: string;
  name: string;
  attributes: Record<string, unknown>;
}

/**
 * The devices to measure. `auto`: every usable GPU, or the processor on a machine without a GPU; an error if no GPU
 * works, since the processor's figures would be mistaken for the machine's. A backend's name: its usable devices. Ids:
 * those devices, in the order of the list, which numbers them.
 * @param files for reading the PCI bus and the device files
 * @throws ExitError usage for an unknown id, no_device if a requested device is unusable
 */
export function selectDevices<T extends ListedDevice>(
  devices: readonly T[],
  wanted: string,
  files: SystemFiles,
  env: Environment,
): T[] {
  const usable = devices.filter((device) => device.status === 'ok');
  if (wanted === 'auto') {
    const cards = usable.filter((device) => device.backend !== 'cpu');
    if (cards.length > 0) return cards;
    refuseBrokenCards(devices, files, env);
    if (usable.length === 0)
      throw new ExitError('no_device', 'no device of this machine can be measured', reasons(devices));
    return usable;
  }
  const names = [...new Set(wanted.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length === 0) throw new ExitError('usage', '--device needs auto, cuda, rocm, cpu or device ids');
  const chosen = new Set(names.flatMap((name) => devicesNamed(devices, name, files, env)));
  return devices.filter((device) => chosen.has(device));
}

/** @throws ExitError no_device if a backend fails, or does not see a GPU that this machine has */
function refuseBrokenCards(devices: readonly ListedDevice[], files: SystemFiles, env: Environment): void {
  const broken = devices.filter(
    ({ backend, status, vendor }) =>
      backend !== 'cpu' &&
      (status === 'error' || status === 'driver-too-old' || signsOfGpu(files, vendor, status).length > 0),
  );
  if (broken.length === 0) return;
  const { states, remedy } = explained(broken, files, env);
  throw new ExitError(
    'no_device',
    `this machine has a GPU that cannot be measured: ${states}`,
    `${remedy} To measure the processor on purpose: --device cpu`,
  );
}

/** What is the matter with each device, and what to do. */
function explained(
  devices: readonly ListedDevice[],
  files: SystemFiles,
  env: Environment,
): { states: string; remedy: string } {
  const all = devices.map((device) => ({ device, causes: whyUnusable(device, files, env) }));
  const states = all.map(({ device: { device_id, vendor, status, detail }, causes }) => {
    const signs = status === 'no-device' || status === 'no-driver' ? signsOfGpu(files, vendor, status) : [];
    const words = [...causes.map(({ cause }) => cause), ...signs].filter((text) => text !== '');
    return [`${device_id}: ${status} (${detail})`, ...words].join('; ');
  });
  return { states: states.join('; '), remedy: remedyOf(all.flatMap(({ causes }) => causes)) };
}

function devicesNamed<T extends ListedDevice>(
  devices: readonly T[],
  name: string,
  files: SystemFiles,
  env: Environment,
): T[] {
  const matching = devices.filter((device) => device.device_id === name || device.backend === name);
  if (matching.length === 0) {
    const known = devices.filter((device) => device.status === 'ok').map((device) => device.device_id);
    const restrictions = new Set(devices.flatMap((device) => attributesOf(device).visible_devices ?? []));
    const hidden = [...restrictions].map((text) => ` ${text} chooses the cards that the driver shows.`).join('');
    throw new ExitError(
      'usage',
      `no device is called '${name}'`,
      `This machine has: ${known.join(', ') || 'none'}.${hidden} See gpumark-agent --list.`,
    );
  }
  const usable = matching.filter((device) => device.status === 'ok');
  if (usable.length > 0) return usable;
  const { states, remedy } = explained(matching, files, env);
  throw new ExitError('no_device', `${name} cannot be measured: ${states}`, remedy);
}

function reasons(devices: readonly ListedDevice[]): string {
  const lines = devices
    .filter((device) => device.status !== 'ok')
    .map((device) => `${device.device_id}: ${device.status} (${device.detail})`);
  return `${lines.join('; ')}. gpumark-agent doctor says how to get what is missing.`;
}
