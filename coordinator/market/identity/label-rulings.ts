import { matchesGlob } from 'node:path';
import type { MatchableProduct } from './find-chip.ts';
import { readLabel } from './read-label.ts';

/** A known fact about one provider's machines, for labels that fit several products or name the wrong one. */
export interface RulingRow {
  /** slug */
  provider: string;
  chip: string;
  /** per accelerator; null matches any */
  memory_gb: number | null;
  /** accelerators in the machine, which the source must then state; empty matches any */
  cards: readonly number[];
  /** the provider's name for the machine, a glob with `*` and `?`; empty matches any name, or none */
  offer: string;
  /** YYYY-MM-DD, both inclusive; null: unbounded */
  first_day: string | null;
  last_day: string | null;
  /** also applies if the label alone names a product, which this provider does not rent out */
  overrides: boolean;
  /** slug */
  product: string;
  /** how this is known; stored with the observation as `evidence` */
  reason: string;
}

export interface Ruling {
  productId: number;
  reason: string;
  holds: (machine: RuledMachine) => boolean;
}

interface RuledMachine {
  gpuCount: number;
  /** the source does not state `gpuCount` */
  isUnsized?: boolean;
  offer: string | null;
  observedAt: Date;
}

interface RuledWords {
  /** slug */
  provider: string;
  label: string;
  memoryGb: number | null;
  /** slugs of the products that the label can mean */
  candidates: readonly string[];
}

/**
 * Rulings that can apply to these words; `holds` decides by the machine. Rulings for products missing from the
 * catalogue are left out.
 */
export function createRulings(
  rows: readonly RulingRow[],
  products: readonly MatchableProduct[],
): (said: RuledWords) => readonly Ruling[] {
  const bySlug = new Map(products.map((product) => [product.slug, product]));
  const byProvider = Map.groupBy(rows, ({ provider }) => provider);
  return ({ provider, label, memoryGb, candidates }) => {
    const ofProvider = byProvider.get(provider);
    if (ofProvider === undefined) return [];
    const chips = new Set(candidates.map((slug) => bySlug.get(slug)?.chip));
    const memories = new Set([...readLabel(label).memories, memoryGb]);
    return ofProvider
      .filter(({ overrides }) => overrides || candidates.length > 1)
      .filter(({ chip }) => chips.has(chip))
      .filter(({ memory_gb }) => memory_gb === null || memories.has(memory_gb))
      .flatMap((row) => {
        const product = bySlug.get(row.product);
        return product === undefined ? [] : [rulingOf(row, product.product_id)];
      });
  };
}

const rulingOf = ({ cards, offer, first_day, last_day, reason }: RulingRow, productId: number): Ruling => {
  const first = first_day === null ? -Infinity : Date.parse(first_day);
  const end = last_day === null ? Infinity : Date.parse(last_day) + 86_400_000;
  return {
    productId,
    reason,
    holds: (machine) =>
      (cards.length === 0 || (machine.isUnsized !== true && cards.includes(machine.gpuCount))) &&
      (offer === '' || (machine.offer !== null && matchesGlob(machine.offer, offer))) &&
      machine.observedAt.getTime() >= first &&
      machine.observedAt.getTime() < end,
  };
};
