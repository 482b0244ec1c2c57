import { shortAddress } from '../inventory/pci-cards.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import type { Environment } from './cause.ts';
import { isReserved } from './kernel-driver.ts';

/** Why a card that is on the PCI bus is hidden from this process on purpose; null if it should be shown. */
type Hidden =
  | 'they are not assigned to this container'
  | 'a device rule (cgroup) keeps this process from them'
  | 'they are reserved for virtual machines'
  | null;

/**
 * Whether a card that the driver does not show is meant to be hidden. A container sees the PCI bus of its host, but only
 * the cards assigned to it; what was assigned is told by the device files, or by NVIDIA_VISIBLE_DEVICES, which the
 * container's runtime reads and no driver does.
 * @param shown number of cards that the driver shows
 */
export function whyHidden(
  files: SystemFiles,
  env: Environment,
  vendor: string,
  address: string,
  shown: number,
): Hidden {
  if (isReserved(files, address)) return 'they are reserved for virtual machines';
  const file = deviceFile(files, vendor, address);
  const isThere = file !== null && files.names(file.folder).includes(file.name);
  if (isThere && files.refusal(`${file.folder}/${file.name}`) === 'EPERM')
    return 'a device rule (cgroup) keeps this process from them';
  if (!isContainer(files)) return null;
  const isAssigned = vendor === 'nvidia' && namedByRuntime(env, shown);
  if (isAssigned || isThere) return null;
  if (file !== null) return 'they are not assigned to this container';
  // No card is known by its file: there must be no more of them than cards that the driver shows.
  const all = vendor === 'nvidia' ? files.names('dev').filter((name) => /^nvidia\d+$/.test(name)) : [];
  return all.length > shown ? null : 'they are not assigned to this container';
}

/**
 * Whether NVIDIA_VISIBLE_DEVICES assigns more cards to this container than the driver shows. `void`, `none` and nothing
 * leave it open: CDI, which assigns cards by its own list, sets `void`. How many cards stand behind a list of instances is unknown.
 */
function namedByRuntime(env: Environment, shown: number): boolean {
  const value = env['NVIDIA_VISIBLE_DEVICES']?.trim() ?? '';
  if (value === 'all') return true;
  const entries = new Set(value.split(',').map((entry) => entry.trim()));
  return [...entries].every((entry) => /^(\d+|GPU-[0-9a-f-]+)$/i.test(entry)) && entries.size > shown;
}

/** The device file of one card, whether it is there or not; null if the kernel does not tell its number. */
function deviceFile(files: SystemFiles, vendor: string, address: string): { folder: string; name: string } | null {
  if (vendor === 'amd') {
    const render = files.names(`sys/bus/pci/devices/${address}/drm`).find((name) => /^renderD\d+$/.test(name));
    return render === undefined ? null : { folder: 'dev/dri', name: render };
  }
  const facts = files.text(`proc/driver/nvidia/gpus/${shortAddress(address)}/information`) ?? '';
  const minor = /^Device Minor:\s*(\d+)$/m.exec(facts)?.[1];
  return minor === undefined ? null : { folder: 'dev', name: `nvidia${minor}` };
}

/** Numbers of the namespaces of the whole machine (include/linux/proc_ns.h): a container has at least one of its own. */
const OF_MACHINE: Readonly<Record<string, string>> = { pid: 'pid:[4026531836]', cgroup: 'cgroup:[4026531835]' };

/**
 * Variables and files such as /.dockerenv stay behind where a container's image was unpacked or its environment copied, so
 * only the kernel's word counts.
 */
export const isContainer = (files: SystemFiles): boolean =>
  Object.entries(OF_MACHINE).some(([name, whole]) => (files.link(`proc/self/ns/${name}`).value ?? whole) !== whole);
