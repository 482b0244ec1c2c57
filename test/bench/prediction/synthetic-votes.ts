import { columnsOf } from '../../../coordinator/prediction/model/design.ts';
import { priors } from '../../../coordinator/prediction/model/fit.ts';
import type { SeededVote } from '../../support/seed-votes.ts';

export interface Product {
  slug: string;
  chip: string;
}

export interface Synthetic {
  votes: SeededVote[];
  /** coefficient by column, as drawn */
  truth: Map<string, number>;
}

const [HYPERSCALERS, NEOCLOUDS, MARKETPLACES] = [5, 34, 5];
const COUNTRIES = ['US', 'DE', 'FI', 'FR', 'JP', 'SG', 'IN', 'BR', 'AU', 'ZZ'];
const CARDS = [1, 2, 4, 8];
const DAYS = 365;
const DAY_MS = 86_400_000;
/** A month's vote is the median of some 30 days: its noise is that of a day x sqrt(pi / 2) / sqrt(30). */
const DAYS_PER_MONTH = 365.25 / 12;

/**
 * About a million daily votes whose logs are the sum of known coefficients, levels of providers and of their products,
 * and noise: all drawn from the distributions that the model assumes, so that its intervals can be compared with the
 * drawn values.
 */
export function syntheticVotes(
  products: readonly Product[],
  { asOf, seed }: { asOf: string; seed: number },
): Synthetic {
  const normal = normals(seed);
  const truth = new Map<string, number>();
  const drawn = (name: string): number => {
    const known = truth.get(name) ?? (name === 'intercept' ? 1 : normal() * spreadOf(name));
    truth.set(name, known);
    return known;
  };
  const noise = (priors.noise * Math.sqrt(DAYS_PER_MONTH)) / Math.sqrt(Math.PI / 2);
  const votes: SeededVote[] = [];
  for (let provider = 0; provider < HYPERSCALERS + NEOCLOUDS + MARKETPLACES; provider += 1) {
    const sellers =
      provider < HYPERSCALERS ? 'Hyperscaler' : provider < HYPERSCALERS + NEOCLOUDS ? 'Neocloud' : 'Marketplace';
    const level = normal() * priors.provider;
    const country = COUNTRIES[provider % COUNTRIES.length] ?? 'ZZ';
    const cards = CARDS[provider % CARDS.length] ?? 1;
    for (const [at, { slug, chip }] of products.entries()) {
      const own = level + normal() * priors.cell;
      // Every second provider has spot prices for every fourth product.
      for (const price_type of provider % 2 === 0 && at % 4 === 0 ? [0, -1] : [0])
        for (let age = 0; age < DAYS; age += 1) {
          const terms = {
            chip,
            product: slug,
            price_type,
            sellers: { [sellers]: 1 },
            country,
            region: null,
            cards,
            age,
          };
          const fixed = columnsOf(terms).reduce((sum, [name, value]) => sum + value * drawn(name), 0);
          const day = new Date(Date.parse(asOf) - age * DAY_MS).toISOString().slice(0, 10);
          const price = Math.exp(fixed + own + noise * normal());
          votes.push({ provider: `bench-${provider}`, sellers, product: slug, price_type, country, cards, day, price });
        }
    }
  }
  return { votes, truth };
}

function spreadOf(name: string): number {
  if (name.startsWith('chip ')) return priors.chip;
  if (name.startsWith('product ')) return priors.product;
  return name.startsWith('country ') ? priors.country : priors.other;
}

/** Normally distributed numbers from a seed: Lehmer's generator and the Box-Muller transform. */
function normals(seed: number): () => number {
  let state = seed;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
}
