import { cardAddresses, isIntegrated, shortAddress } from '../inventory/pci-cards.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { gpuRemedy } from './check-gpu-drivers.ts';
import { attributesOf } from '../kernels/runner-events.ts';
import type { ListedDevice } from './select-devices.ts';

/** The fields of a device needed to find missing cards. */
interface PlacedDevice extends ListedDevice {
  pci_id: string | null;
  attributes: Record<string, unknown>;
}

interface MissingCards {
  /** Cards that should have been measured, each a warning of the run. */
  warnings: { message: string; remedy: string | null }[];
  /** Cards hidden on purpose, only reported. */
  remarks: string[];
}

const NAMES: Readonly<Record<string, string>> = { nvidia: 'NVIDIA', amd: 'AMD' };

/**
 * Finds cards, besides the usable ones, that are not measured: those in an error state, and those on the PCI bus that
 * the driver does not show. A run restricted by an environment variable, a container or device ids has no missing
 * cards.
 */
export function findMissingCards(
  devices: readonly PlacedDevice[],
  wanted: string,
  files: SystemFiles,
  env: Readonly<Record<string, string | undefined>>,
): MissingCards {
  const found: MissingCards = { warnings: [], remarks: [] };
  const names = new Set(wanted.split(',').map((name) => name.trim()));
  const cards = devices.filter(
    (device) => device.backend !== 'cpu' && (names.has('auto') || names.has(device.backend)),
  );
  // If no card works, the run is refused or measures the processor, so no card counts as missing.
  if (!cards.some((device) => device.status === 'ok')) return found;
  for (const { device_id, status, detail, vendor } of cards) {
    if (status !== 'error' && status !== 'driver-too-old') continue;
    const message = `${device_id} is not measured: ${status} (${detail})`;
    found.warnings.push({ message, remedy: gpuRemedy(files, vendor, status) });
  }
  for (const [vendor, group] of Map.groupBy(cards, (device) => device.vendor))
    compareBus(found, vendor, group, files, env);
  return found;
}

function compareBus(
  found: MissingCards,
  vendor: string,
  group: readonly PlacedDevice[],
  files: SystemFiles,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const name = NAMES[vendor] ?? vendor;
  const restriction = group.map((device) => attributesOf(device).visible_devices).find((text) => text !== undefined);
  // A usable card without an address may be any card on the bus.
  if (group.some((device) => device.status === 'ok' && device.pci_id === null)) return;
  // Instances and partitions of one card share its address, up to the function.
  const listed = new Set(group.flatMap(({ pci_id }) => (pci_id === null ? [] : [slotOf(pci_id)])));
  const hidden = cardAddresses(files, vendor).filter(
    (address) => !listed.has(slotOf(address)) && !isIntegrated(files, address),
  );
  if (hidden.length === 0) {
    if (restriction !== undefined) found.remarks.push(`${restriction} chooses the cards of this run`);
    return;
  }
  // If no card of a vendor works, its state already reports that.
  if (group.some((device) => device.status === 'error' || device.status === 'driver-too-old') && listed.size === 0)
    return;
  const where = `${hidden.length} ${name} ${hidden.length === 1 ? 'card' : 'cards'} of this machine (${hidden.join(', ')})`;
  if (restriction !== undefined) found.remarks.push(`${where} not measured: ${restriction} hides them`);
  else if (isContainer(files, env))
    found.remarks.push(`${where} not measured: they are not assigned to this container`);
  else {
    const message = `${where} on the PCI bus, but the driver does not show them: not measured`;
    const status = listed.size === 0 ? 'no-driver' : 'error';
    found.warnings.push({
      message,
      remedy: `${gpuRemedy(files, vendor, status)} The kernel log (dmesg) may say more.`,
    });
  }
}

/** Domain, bus and device: the address without the function. */
const slotOf = (address: string): string => shortAddress(address).replace(/\.[0-9a-f]$/, '');

/** A container sees the PCI bus of its host, but only the cards assigned to it. */
function isContainer(files: SystemFiles, env: Readonly<Record<string, string | undefined>>): boolean {
  const isTold = ['NVIDIA_VISIBLE_DEVICES', 'KUBERNETES_SERVICE_HOST', 'container'].some((name) => env[name]);
  return isTold || files.names('').includes('.dockerenv') || files.names('run').includes('.containerenv');
}
