import { compareCards } from './compare-cards.ts';
import type { CardFacts, GpuInfo, KnownCard } from './known-card.ts';
import { linkOfKernel, shortAddress } from './pci-cards.ts';
import type { SystemFiles } from './system-files.ts';

/** A card as reported by the runner; `pci_id` like 0000:17:00.0. */
export interface FoundCard {
  device_id: string;
  vendor: string;
  name: string;
  pci_id: string | null;
  memory_bytes: number | null;
  driver_version: string | null;
  cuda_version: string | null;
  /** Further facts from the driver. */
  facts?: FoundFacts;
}

export interface FoundFacts extends CardFacts {
  /** The source: NVML, AMD SMI, …; null if none was available. */
  source: string | null;
  /** For an instance: its card's UUID and the instance. */
  mig: { enabled: boolean | null; parent_uuid: string | null; instance: string | null } | null;
  /** The card's name and UUID in the management library; the runtime reports its own. */
  managed_name?: string | null;
  managed_uuid?: string | null;
  nvlink_active: number | null;
  nvlink: NvlinkSummary | null;
  rocm_version: string | null;
  architecture: string | null;
}

/** `remotes`: number of active links per peer PCI address, including NVSwitches. */
export interface NvlinkSummary {
  links: number;
  active: number;
  version: string | null;
  remotes: { pci_id: string; links: number }[];
}

/**
 * The runner determines the list of cards; the vendor's program and the kernel's PCI directory add their facts about
 * each. If two sources contradict each other the vendor's program wins, except for the UUID, which is the runner's;
 * `disagreements` has the other value.
 * @param program name of the vendor's program, for messages
 */
export function gpuInfo(
  found: readonly FoundCard[],
  known: readonly KnownCard[],
  files: SystemFiles,
  program: (vendor: string) => string = () => 'nvidia-smi',
): GpuInfo[] {
  return found.map((card) => {
    const facts = card.facts;
    const isInstance = facts?.mig?.instance != null;
    const other = known.find((one) => isSame(one, card));
    const own = isInstance ? undefined : other;
    const told = <F extends keyof CardFacts>(fact: F): NonNullable<CardFacts[F]> | null =>
      other?.[fact] ?? facts?.[fact] ?? null;
    const links = [other?.pci_info, facts?.pci_info, linkOfKernel(files, card.pci_id)];
    return {
      name: own?.name ?? card.name,
      total_memory: own?.total_memory ?? card.memory_bytes,
      driver_version: other?.driver_version ?? card.driver_version,
      cuda_version: other?.cuda_version ?? card.cuda_version,
      pci_info: perField(links),
      uuid: facts?.uuid ?? own?.uuid ?? null,
      pci_id: card.pci_id,
      vbios: told('vbios'),
      serial: told('serial'),
      ecc_mode: told('ecc_mode'),
      power_cap_watts: told('power_cap_watts'),
      mig: migOf(facts, other),
      partition: perField([other?.partition, facts?.partition]),
      nvlink_active: facts?.nvlink_active ?? null,
      nvlink: facts?.nvlink ?? null,
      rocm_version: facts?.rocm_version ?? (card.vendor === 'amd' ? files.text('opt/rocm/.info/version') : null),
      architecture: facts?.architecture ?? null,
      disagreements: [
        ...(isInstance ? [] : withinDriver(card)),
        ...(other === undefined ? [] : disagreements(card, other, program(card.vendor), isInstance)),
      ].slice(0, 40),
    };
  });
}

/** Each field from the first source that has it: one that fails to answer hides nothing that another knows. */
function perField<T extends object>(sources: readonly (T | null | undefined)[]): T | null {
  const known = sources.filter((source) => source !== null && source !== undefined);
  const [first] = known;
  if (first === undefined) return null;
  const names = Object.keys(first) as (keyof T)[];
  const best = (name: keyof T): T[keyof T] => (known.find((source) => source[name] !== null) ?? first)[name];
  return Object.fromEntries(names.map((name) => [name, best(name)])) as T;
}

/** The runtime and the management library belong to one driver, but may have different versions. */
function withinDriver({ name, vendor, facts }: FoundCard): string[] {
  if (vendor === 'amd' || facts?.source == null) return [];
  const ours = { name, uuid: facts.uuid ?? null, memory_bytes: null };
  const theirs = { name: facts.managed_name ?? null, uuid: facts.managed_uuid ?? null, memory_bytes: null };
  return compareCards(ours, 'the runtime', theirs, facts.source, false);
}

/** rocm-smi reports family names and the runtime model names, so names of AMD cards are not compared. */
function disagreements(card: FoundCard, other: KnownCard, program: string, isInstance: boolean): string[] {
  const { name, memory_bytes, driver_version, cuda_version, facts } = card;
  const ours = { ...facts, name: card.vendor === 'amd' ? null : name, memory_bytes, driver_version, cuda_version };
  const first = { ...ours, mig_enabled: facts?.mig?.enabled ?? facts?.mig_enabled ?? null };
  const second = { ...other, memory_bytes: other.total_memory };
  return compareCards(first, facts?.source ?? 'the driver', second, program, isInstance);
}

function migOf(facts: FoundFacts | undefined, other: KnownCard | undefined): GpuInfo['mig'] {
  if (facts?.mig != null) return facts.mig;
  const enabled = other?.mig_enabled ?? facts?.mig_enabled ?? null;
  return enabled === null ? null : { enabled };
}

/** An instance matches its parent card; nvidia-smi and the kernel write PCI addresses differently. */
function isSame(known: KnownCard, card: FoundCard): boolean {
  const parent = card.facts?.mig?.parent_uuid ?? null;
  if (known.uuid && (known.uuid === card.device_id || known.uuid === card.facts?.uuid || known.uuid === parent))
    return true;
  return card.pci_id !== null && known.pci_id !== '' && shortAddress(known.pci_id) === shortAddress(card.pci_id);
}
