import type { DeviceEvent } from '../kernels/runner-events.ts';
import type { FoundCard, FoundFacts, NvlinkSummary } from './gpu-info.ts';
import { enabledWord, leadingInteger, leadingNumber, member, word } from './read-answer.ts';

/** A card has NVLinks to at most 18 peers; a longer list would be a fault. */
const REMOTES_MAX = 32;

/** Converts the runner's device event to a card of the inventory. Attributes of an unexpected type are left out. */
export function foundCard(device: DeviceEvent): FoundCard {
  const { device_id, vendor, name, pci_id, memory_bytes, attributes } = device;
  return {
    device_id: word(attributes['uuid']) ?? device_id,
    vendor,
    name,
    pci_id,
    memory_bytes,
    driver_version: word(attributes['driver_version']),
    cuda_version: word(attributes['cuda_version']),
    facts: factsOf(attributes),
  };
}

function factsOf(attributes: Record<string, unknown>): FoundFacts {
  const pcie = attributes['pcie'];
  const [mig, partition] = [attributes['mig'], attributes['partition']];
  const nvlink = nvlinkOf(attributes['nvlink']);
  return {
    source: word(attributes['telemetry']),
    uuid: word(attributes['uuid']),
    vbios: word(attributes['vbios']),
    serial: word(attributes['serial']),
    ecc_mode: enabledWord(attributes['ecc_mode']),
    power_cap_watts: leadingNumber(attributes['power_cap_watts']),
    partition:
      partition == null
        ? null
        : { compute: word(member(partition, 'compute')), memory: word(member(partition, 'memory')) },
    pci_info:
      pcie == null
        ? null
        : {
            generation_max: leadingInteger(member(pcie, 'generation_max')),
            generation_current: leadingInteger(member(pcie, 'generation_current')),
            link_width_max: leadingInteger(member(pcie, 'width_max')),
            link_width_current: leadingInteger(member(pcie, 'width_current')),
          },
    mig_enabled: typeof attributes['mig_enabled'] === 'boolean' ? attributes['mig_enabled'] : null,
    mig: mig == null ? null : migOf(mig, word(attributes['nvml_uuid'])),
    managed_name: word(attributes['nvml_name']),
    managed_uuid: word(attributes['nvml_uuid']),
    nvlink_active: leadingInteger(attributes['nvlink_active']) ?? nvlink?.active ?? null,
    nvlink,
    rocm_version: word(attributes['rocm_version']),
    architecture: word(attributes['architecture']),
  };
}

/** @param cardUuid NVML's UUID of the card at the instance's address */
function migOf(mig: unknown, cardUuid: string | null): FoundFacts['mig'] {
  const enabled = member(mig, 'enabled');
  const instance = member(mig, 'instance');
  return {
    enabled: typeof enabled === 'boolean' ? enabled : null,
    parent_uuid: word(member(mig, 'parent_uuid')) ?? cardUuid,
    instance: typeof instance === 'number' ? String(instance) : word(instance),
  };
}

/** Summarises a card's NVLinks: number, version, and number per peer. */
function nvlinkOf(links: unknown): NvlinkSummary | null {
  const list: unknown[] = Array.isArray(links) ? links : [];
  if (list.length === 0) return null;
  const active = list.filter((link) => member(link, 'active') === true);
  const byRemote = Map.groupBy(active, (link) => word(member(link, 'remote_pci_id')));
  const remotes = [...byRemote].flatMap(([pci_id, group]) =>
    pci_id === null ? [] : [{ pci_id, links: group.length }],
  );
  const versions = new Set(active.map((link) => member(link, 'version')).filter((version) => version != null));
  return {
    links: list.length,
    active: active.length,
    version: versions.size === 0 ? null : [...versions].map(String).join(', '),
    remotes: remotes.slice(0, REMOTES_MAX),
  };
}
