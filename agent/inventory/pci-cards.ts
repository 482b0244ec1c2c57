import type { PciInfo } from './known-card.ts';
import type { SystemFiles } from './system-files.ts';

const BUS = 'sys/bus/pci/devices';
const INTEGRATED_BYTES_MAX = 2 * 2 ** 30;

/**
 * PCI vendor ids. Adapters of other vendors, such as the VGA of a server board or a virtual machine, cannot be
 * measured.
 */
const PCI_VENDORS: Readonly<Record<string, string>> = { nvidia: '0x10de', amd: '0x1002' };

/**
 * Display adapters (class 0x03) and processing accelerators (0x12) of `vendor` on the PCI bus, with or without a
 * driver. Containers see those of their host.
 */
export function cardAddresses(files: SystemFiles, vendor: string): string[] {
  const isCard = (address: string): boolean => {
    const kind = files.text(`${BUS}/${address}/class`) ?? '';
    const maker = files.text(`${BUS}/${address}/vendor`);
    // A virtual function (SR-IOV) is a part of a card that is listed too, for a virtual machine.
    if (files.names(`${BUS}/${address}`).includes('physfn')) return false;
    return maker !== null && maker === PCI_VENDORS[vendor] && (kind.startsWith('0x03') || kind.startsWith('0x12'));
  };
  return files.names(BUS).filter(isCard);
}

export const countCards = (files: SystemFiles, vendor: string): number => cardAddresses(files, vendor).length;

/**
 * Whether it is a GPU integrated into the processor, judged by the size of its dedicated memory: no discrete card has
 * this little. False if unknown.
 */
export function isIntegrated(files: SystemFiles, address: string): boolean {
  const bytes = Number(files.text(`${BUS}/${address}/mem_info_vram_total`) ?? Number.NaN);
  return bytes < INTEGRATED_BYTES_MAX;
}

/** nvidia-smi and some drivers write an eight-digit domain and upper case, the kernel four digits and lower case. */
export const shortAddress = (address: string): string => address.toLowerCase().replace(/^0000(?=[0-9a-f]{4}:)/, '');

/** PCIe generation by the transfer rate of one lane in GT/s (PCI Express base specifications 1 to 6). */
const GENERATIONS = new Map([
  [2.5, 1],
  [5, 2],
  [8, 3],
  [16, 4],
  [32, 5],
  [64, 6],
]);

/** `0000:17:00.0`, of nvidia-smi also with a domain of eight digits. */
export const isAddress = (text: string): boolean => /^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/i.test(text);

/** Lanes of a PCIe link. A card that has fallen off the bus or sleeps answers with all ones: 63, 255 or 65,535. */
const WIDTHS = new Set([1, 2, 4, 8, 12, 16, 32]);

export const pcieWidth = (lanes: number | null): number | null => (lanes !== null && WIDTHS.has(lanes) ? lanes : null);

export const pcieGeneration = (transfers: number | null): number | null => GENERATIONS.get(transfers ?? 0) ?? null;

/** The card's PCIe link from the kernel; null without an address. */
export function linkOfKernel(files: SystemFiles, pciId: string | null): PciInfo | null {
  if (pciId === null) return null;
  const read = (name: string): number => Number.parseFloat(files.text(`${BUS}/${shortAddress(pciId)}/${name}`) ?? '');
  return {
    generation_max: pcieGeneration(read('max_link_speed')),
    generation_current: pcieGeneration(read('current_link_speed')),
    link_width_max: pcieWidth(read('max_link_width')),
    link_width_current: pcieWidth(read('current_link_width')),
  };
}
