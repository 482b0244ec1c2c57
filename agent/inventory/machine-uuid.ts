import type { SystemFiles } from './system-files.ts';
import { uuidV5 } from './uuid-v5.ts';

/** Generated once at random for this purpose; changing it would give every machine a new identity. */
const MACHINE_NAMESPACE = 'a126879f-b444-478b-b390-702164e51c9a';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface MachineIdentity {
  machine_uuid: string;
  /** The source of the id. */
  source: 'override' | 'product_uuid' | 'board_serial' | 'machine_id' | 'network_address' | 'stored';
}

/**
 * The machine's identity: the operator's if given (a UUID unchanged, other text hashed), else a version 5 UUID of the
 * machine's first available stable id: DMI product UUID, board serial (both readable by root only), /etc/machine-id,
 * the lowest address of a physical network card, or else an id that `stored` keeps.
 */
export function machineIdentity(files: SystemFiles, override: string | null, stored: () => string): MachineIdentity {
  if (override !== null) {
    const machine_uuid = UUID.test(override)
      ? override.toLowerCase()
      : uuidV5(MACHINE_NAMESPACE, `override:${override}`);
    return { machine_uuid, source: 'override' };
  }
  const found = stableId(files) ?? ({ source: 'stored', id: stored() } as const);
  return { machine_uuid: uuidV5(MACHINE_NAMESPACE, `${found.source}:${found.id}`), source: found.source };
}

function stableId(
  files: SystemFiles,
): { source: Exclude<MachineIdentity['source'], 'override' | 'stored'>; id: string } | null {
  const product = dmi(files, 'product_uuid');
  if (product !== null && UUID.test(product) && !isFillerUuid(product))
    return { source: 'product_uuid', id: product.toLowerCase() };
  const serial = dmi(files, 'board_serial');
  if (serial !== null && !isFillerText(serial))
    return { source: 'board_serial', id: `${dmi(files, 'board_vendor') ?? ''}/${serial}` };
  const machineId = files.text('etc/machine-id');
  if (machineId !== null && /^[0-9a-f]{32}$/.test(machineId)) return { source: 'machine_id', id: machineId };
  const address = lowestPhysicalAddress(files);
  return address === null ? null : { source: 'network_address', id: address };
}

const dmi = (files: SystemFiles, name: string): string | null => files.text(`sys/class/dmi/id/${name}`);

/** Placeholder UUIDs of boards without one: all zeros, all ones, and the value of a common vendor template. */
function isFillerUuid(uuid: string): boolean {
  return /^[0-]+$/.test(uuid) || /^[f-]+$/i.test(uuid) || uuid.toLowerCase() === '03000200-0400-0500-0006-000700080009';
}

function isFillerText(text: string): boolean {
  return /^(none|n\/a|unknown|default string|not specified|to be filled by o\.?e\.?m\.?|0+|-+|x+|system serial number)$/i.test(
    text.trim(),
  );
}

/** Cards with a `device` link are hardware; bridges, tunnels and container interfaces have none. */
function lowestPhysicalAddress(files: SystemFiles): string | null {
  const cards = files.names('sys/class/net').filter((name) => files.names(`sys/class/net/${name}/device`).length > 0);
  const addresses = cards.map((name) => files.text(`sys/class/net/${name}/address`));
  const real = addresses.filter(
    (address) => address !== null && /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/.test(address) && !/^[0:]+$/.test(address),
  );
  return real.toSorted((a, b) => (a ?? '').localeCompare(b ?? '', 'en'))[0] ?? null;
}
