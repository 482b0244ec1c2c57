import type { CardFacts } from './known-card.ts';

interface ComparedCard extends CardFacts {
  name: string | null;
  memory_bytes: number | null;
}

type Told = string | number | boolean | null | undefined;

interface Fact {
  what: string;
  of: (card: ComparedCard) => Told;
  /** Applies to the whole card; an instance has its own value. */
  whole?: true;
  /** For numbers: whether they differ too much to mean the same thing. Other facts must be equal as text. */
  apart?: (one: number, other: number) => boolean;
  show?: (amount: number) => string;
}

/**
 * The facts compared between two sources, in the order of the messages. Only the link's maximum is compared, since an
 * idle card's link changes by itself.
 */
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
    // The allocatable memory is slightly less than the installed memory.
    apart: (one, other) => Math.abs(1 - one / other) > 0.06,
    show: (bytes) => `${(bytes / 1e9).toFixed(1)} GB`,
  },
];

/**
 * One sentence for each contradiction between two sources about a card. A fact that only one of them has is not a
 * contradiction.
 * @param isPart whether the first source describes an instance of the card, whose sizes and names differ
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

/** Normalises spelling: capitals, blanks, leading zeros of serial numbers. */
const plain = (value: string | number | boolean): string =>
  String(value)
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^0+(?=\w)/, '');
