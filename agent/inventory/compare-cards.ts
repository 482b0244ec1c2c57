import type { CardFacts } from './known-card.ts';

/** Sensors, caps and sizes of two sources agree within these, or they speak of different things. */
const WATTS_APART = 1;
/** What the runtime can give out is a little less than what is built in. */
const MEMORY_SHARE_APART = 0.06;

interface ComparedCard extends CardFacts {
  name: string | null;
  memory_bytes: number | null;
}

/**
 * Where two sources contradict each other about one card, a sentence each. What only one of them says is no contradiction,
 * nor is what changes by itself: the link of an idle card.
 * @param isPart the first source speaks of an instance of the card: sizes and names differ then
 */
export function compareCards(
  first: ComparedCard,
  firstName: string,
  second: ComparedCard,
  secondName: string,
  isPart: boolean,
): string[] {
  const sentences: string[] = [];
  const say = (what: string, one: unknown, other: unknown, unit = ''): void => {
    sentences.push(`${what}: ${firstName} says ${String(one)}${unit}, ${secondName} says ${String(other)}${unit}`);
  };
  const texts = [
    ['name', isPart ? null : first.name, second.name],
    ['uuid', isPart ? null : first.uuid, second.uuid],
    ['driver version', first.driver_version, second.driver_version],
    ['CUDA version', first.cuda_version, second.cuda_version],
    ['VBIOS', first.vbios, second.vbios],
    ['serial number', first.serial, second.serial],
    ['ECC mode', first.ecc_mode, second.ecc_mode],
    ['MIG mode', first.mig_enabled, second.mig_enabled],
    ['compute partition', first.partition?.compute, second.partition?.compute],
    ['memory partition', first.partition?.memory, second.partition?.memory],
    ['PCIe generation', first.pci_info?.generation_max, second.pci_info?.generation_max],
    ['PCIe width', first.pci_info?.link_width_max, second.pci_info?.link_width_max],
  ] as const;
  for (const [what, one, other] of texts) {
    if (isKnown(one) && isKnown(other) && plain(one) !== plain(other)) say(what, one, other);
  }
  const [cap, otherCap] = [first.power_cap_watts, second.power_cap_watts];
  if (cap != null && otherCap != null && Math.abs(cap - otherCap) > WATTS_APART) say('power cap', cap, otherCap, ' W');
  const [memory, otherMemory] = [isPart ? null : first.memory_bytes, second.memory_bytes];
  if (memory && otherMemory && Math.abs(1 - memory / otherMemory) > MEMORY_SHARE_APART)
    say('memory', gigabytes(memory), gigabytes(otherMemory), ' GB');
  return sentences.map((sentence) => sentence.slice(0, 400));
}

const isKnown = (value: string | number | boolean | null | undefined): value is string | number | boolean =>
  value !== null && value !== undefined && value !== '';

/** Makers write one thing in several ways: capitals, blanks, leading zeros of serial numbers. */
const plain = (value: string | number | boolean): string =>
  String(value)
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^0+(?=\w)/, '');

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);
