import type { SystemFiles } from './system-files.ts';

/** PCI vendor ids. Adapters of other makers, such as the VGA of a server's board or of a virtual machine, cannot be measured. */
const PCI_VENDORS: Readonly<Record<string, string>> = { nvidia: '0x10de', amd: '0x1002' };

/**
 * Display adapters (class 0x03) and processing accelerators (0x12) of `vendor` on the PCI bus, whether or not a driver
 * knows them. Containers see those of their host.
 */
export function countCards(files: SystemFiles, vendor: string): number {
  const folder = 'sys/bus/pci/devices';
  const isCard = (address: string): boolean => {
    const kind = files.text(`${folder}/${address}/class`) ?? '';
    const maker = files.text(`${folder}/${address}/vendor`);
    return maker !== null && maker === PCI_VENDORS[vendor] && (kind.startsWith('0x03') || kind.startsWith('0x12'));
  };
  return files.names(folder).filter(isCard).length;
}
