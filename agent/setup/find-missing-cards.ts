import { cardAddresses, isIntegrated, shortAddress } from '../inventory/pci-cards.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { attributesOf } from '../kernels/runner-events.ts';
import { whyHidden } from './assigned-cards.ts';
import { listedBy } from './hiding-variable.ts';
import type { Environment } from './cause.ts';
import type { ListedDevice } from './select-devices.ts';
import { remedyOf, whyUnusable } from './why-unusable.ts';

/** The fields of a device needed to find missing cards. */
interface PlacedDevice extends ListedDevice {
  pci_id: string | null;
}

interface MissingCards {
  /** Cards that should have been measured, each a warning of the run. */
  warnings: { vendor: string; message: string; remedy: string }[];
  /** Cards hidden on purpose, only reported. */
  remarks: { vendor: string; message: string }[];
}

const NAMES: Readonly<Record<string, string>> = { nvidia: 'NVIDIA', amd: 'AMD' };

/**
 * Finds cards, besides the usable ones, that are not measured: those in an error state, and those on the PCI bus that
 * the driver does not show. In a run restricted by an environment variable, a container or device ids only those that
 * it names can be missing.
 */
export function findMissingCards(
  devices: readonly PlacedDevice[],
  wanted: string,
  files: SystemFiles,
  env: Environment,
): MissingCards {
  const found: MissingCards = { warnings: [], remarks: [] };
  const names = new Set(wanted.split(',').map((name) => name.trim()));
  const cards = devices.filter(
    (device) => device.backend !== 'cpu' && (names.has('auto') || names.has(device.backend)),
  );
  // If no card works, the run is refused or measures the processor, so no card counts as missing.
  if (!cards.some((device) => device.status === 'ok')) return found;
  for (const device of cards) {
    const { device_id, status, detail, vendor } = device;
    if (status !== 'error' && status !== 'driver-too-old') continue;
    const message = `${device_id} is not measured: ${status} (${detail})`;
    const others = cards.some((other) => other.vendor === vendor && other.status === 'ok');
    const causes = whyUnusable(device, files, env, others ? [device.pci_id ?? []].flat() : null);
    found.warnings.push({ vendor, message, remedy: remedyOf(causes) });
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
  env: Environment,
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
    if (restriction !== undefined)
      found.remarks.push({ vendor, message: `${restriction} chooses the cards of this run` });
    return;
  }
  // If no card of a vendor works, its state already reports that.
  if (group.some((device) => device.status === 'error' || device.status === 'driver-too-old') && listed.size === 0)
    return;
  const where = (addresses: readonly string[]): string =>
    `${addresses.length} ${name} ${addresses.length === 1 ? 'card' : 'cards'} of this machine (${addresses.join(', ')})`;
  if (restriction !== undefined) {
    const named = namedBy(restriction);
    if (named <= listed.size)
      found.remarks.push({ vendor, message: `${where(hidden)} not measured: ${restriction} hides them` });
    else
      found.warnings.push({
        vendor,
        message: `${restriction} names ${named} ${name} cards, but the driver shows ${listed.size}: not all are measured`,
        remedy: `See which of them is gone or misspelt (${listedBy(vendor)}). The kernel log (dmesg) may say more.`,
      });
    return;
  }
  const reasons = Map.groupBy(hidden, (address) => whyHidden(files, env, vendor, address, listed.size));
  for (const [why, addresses] of reasons) {
    if (why !== null) {
      found.remarks.push({ vendor, message: `${where(addresses)} not measured: ${why}` });
      continue;
    }
    const message = `${where(addresses)} on the PCI bus, but the driver does not show them: not measured`;
    const [first] = group;
    const device = first !== undefined && listed.size === 0 ? first : { vendor, status: 'error', attributes: {} };
    const remedy = remedyOf(whyUnusable(device, files, env, listed.size === 0 ? null : addresses));
    found.warnings.push({ vendor, message, remedy: `${remedy} The kernel log (dmesg) may say more.` });
  }
}

/** The largest number of cards that a variable names; 0 for instances, several of which are one card. */
function namedBy(restriction: string): number {
  const values = [...restriction.matchAll(/[A-Z_]+=(.*?)(?= [A-Z_]+=|$)/g)].map(([, value = '']) => value.split(','));
  const counts = values.map((entries) => new Set(entries.map((entry) => entry.trim())));
  return Math.max(...counts.map((set) => ([...set].every((entry) => /^(\d+|GPU-[\w-]+)$/.test(entry)) ? set.size : 0)));
}

/** Domain, bus and device: the address without the function. */
const slotOf = (address: string): string => shortAddress(address).replace(/\.[0-9a-f]$/, '');
