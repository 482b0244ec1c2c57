import type { CardFacts } from './known-card.ts';

interface ComparedCard extends CardFacts {
  name: string | null;
  memory_bytes: number | null;
}

type Told = string | number | boolean | null | undefined;

interface Fact {
  what: string;
  of: (card: ComparedCard) => Told;
  /** Of the whole card: an instance has its own. */
  whole?: true;
  /** For amounts: whether they are so far apart that they speak of different things. Other facts must be the same words. */
  apart?: (one: number, other: number) => boolean;
  show?: (amount: number) => string;
}

/** What two sources may say of one card, in the order of the sentences. The link of an idle card changes by itself: only its maximum. */
const FACTS: readonly Fact[] = [
  { what: 'name', of: (card) => card.name, whole: true },
  { what: 'uuid', of: (card) => card.uuid, whole: true },
  { what: 'driver version', of: (card) => card.driver_version },
  { what: 'CUDA version', of: (card) => card.cuda_version },
  { what: 'VBIOS', of: (card) => card.vbios },
  { what: 'serial number', of: (card) => card.serial },
  { what: 'ECC mode', of: (card) => card.ecc_mode },
  { what: 'MIG mode', of: (card) => card.mig_enabled },
  { what: 'compute partition', of: (card) => card.partition?.compute },
  { what: 'memory partition', of: (card) => card.partition?.memory },
  { what: 'PCIe generation', of: (card) => card.pci_info?.generation_max },
  { what: 'PCIe width', of: (card) => card.pci_info?.link_width_max },
  {
    what: 'power cap',
    of: (card) => card.power_cap_watts,
    apart: (one, other) => Math.abs(one - other) > 1,
    show: (watts) => `${watts} W`,
  },
  {
    what: 'memory',
    of: (card) => card.memory_bytes || null,
    whole: true,
    // What the runtime can give out is a little less than what is built in.
    apart: (one, other) => Math.abs(1 - one / other) > 0.06,
    show: (bytes) => `${(bytes / 1e9).toFixed(1)} GB`,
  },
];

/**
 * One sentence for each contradiction of two sources about a card. What only one of them says is not one.
 * @param isPart the first source speaks of an instance of the card: sizes and names differ then
 */
export function compareCards(
  first: ComparedCard,
  firstName: string,
  second: ComparedCard,
  secondName: string,
  isPart: boolean,
): string[] {
  return FACTS.flatMap(({ what, of, whole, apart, show }) => {
    const [one, other] = [isPart && whole ? null : of(first), of(second)];
    if (!isKnown(one) || !isKnown(other)) return [];
    const isAmount = apart !== undefined && typeof one === 'number' && typeof other === 'number';
    if (isAmount ? !apart(one, other) : plain(one) === plain(other)) return [];
    const words = (value: string | number | boolean): string =>
      show !== undefined && typeof value === 'number' ? show(value) : String(value);
    return [`${what}: ${firstName} says ${words(one)}, ${secondName} says ${words(other)}`.slice(0, 400)];
  });
}

const isKnown = (value: Told): value is string | number | boolean =>
  value !== null && value !== undefined && value !== '';

/** Makers write one thing in several ways: capitals, blanks, leading zeros of serial numbers. */
const plain = (value: string | number | boolean): string =>
  String(value)
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^0+(?=\w)/, '');
