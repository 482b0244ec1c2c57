import { matchesGlob } from 'node:path';
import type { MatchableProduct } from './find-chip.ts';
import { readLabel } from './read-label.ts';

/** What is known of one provider's machines, for labels that leave several products open or name another one. */
export interface RulingRow {
  /** slug */
  provider: string;
  chip: string;
  /** of one accelerator; null: any */
  memory_gb: number | null;
  /** accelerators in the machine, if the source states them; none: any */
  cards: readonly number[];
  /** what the machine is called there, `*` and `?` for parts of it; empty: anything, or nothing */
  offer: string;
  /** YYYY-MM-DD, both included; null: open */
  first_day: string | null;
  last_day: string | null;
  /** also if the label alone names a product: that one is not let there */
  overrides: boolean;
  /** slug */
  product: string;
  /** where it is known from; kept with the observation */
  reason: string;
}

export interface Ruling {
  productId: number;
  reason: string;
  holds: (machine: RuledMachine) => boolean;
}

interface RuledMachine {
  gpuCount: number;
  /** the source does not state it */
  isUnsized?: boolean;
  offer: string | null;
  observedAt: Date;
}

interface RuledWords {
  /** slug */
  provider: string;
  label: string;
  memoryGb: number | null;
  /** slugs of the products that the label may mean */
  candidates: readonly string[];
}

/** Rulings that may hold for these words; which of them does, the machine tells. Those of products not in the catalogue are left out. */
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
