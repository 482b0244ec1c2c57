import { isPlaceholderHex, isPlaceholderSerial, isPlaceholderUuid } from './placeholder.ts';
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
 * the lowest address of a physical network card, or else an id that `stored` keeps. Placeholders identify nothing.
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

interface StableId {
  source: Exclude<MachineIdentity['source'], 'override' | 'stored'>;
  id: string;
}

function stableId(files: SystemFiles): StableId | null {
  const product = dmi(files, 'product_uuid');
  const isUuid = product !== null && UUID.test(product);
  if (isUuid && !isPlaceholderUuid(product)) return { source: 'product_uuid', id: product.toLowerCase() };
  const board = boardSerial(files);
  const other = machineId(files) ?? lowestPhysicalAddress(files);
  if (board === null) return other;
  // A vendor that left a sample in the one id may have left its own sample in the other, which no rule knows.
  const isDoubtful = isUuid && !isAbsentUuid(product);
  return isDoubtful && other !== null ? { ...board, id: `${board.id}/${other.source}:${other.id}` } : board;
}

const dmi = (files: SystemFiles, name: string): string | null => files.text(`sys/class/dmi/id/${name}`);

/** "Not present" by SMBIOS 7.2.1, all zeros or all ones, and the usual template of AMI's firmware, which means the same. */
const isAbsentUuid = (uuid: string): boolean => /^[0-]+$|^[f-]+$|^03000200-0400-0500-0006-000700080009$/i.test(uuid);

function boardSerial(files: SystemFiles): StableId | null {
  const serial = dmi(files, 'board_serial');
  if (serial === null || isPlaceholderSerial(serial)) return null;
  return { source: 'board_serial', id: `${dmi(files, 'board_vendor') ?? ''}/${serial}` };
}

/** machine-id(5): 32 digits in lower case; `uninitialized` or empty in an image that was not started yet. */
function machineId(files: SystemFiles): StableId | null {
  const id = files.text('etc/machine-id');
  return id !== null && /^[0-9a-f]{32}$/.test(id) && !isPlaceholderHex(id) ? { source: 'machine_id', id } : null;
}

/** Cards with a `device` link are hardware; bridges, tunnels and container interfaces have none. */
function lowestPhysicalAddress(files: SystemFiles): StableId | null {
  const cards = files.names('sys/class/net').filter((name) => files.names(`sys/class/net/${name}/device`).length > 0);
  const addresses = cards.map((name) => files.text(`sys/class/net/${name}/address`));
  const real = addresses.filter(
    (address) =>
      address !== null &&
      /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/.test(address) &&
      !isPlaceholderHex(address.replaceAll(':', '')),
  );
  const id = real.toSorted((a, b) => (a ?? '').localeCompare(b ?? '', 'en'))[0];
  return id == null ? null : { source: 'network_address', id };
}
