import type { SeededVote } from '../../support/seed-votes.ts';

interface Given {
  providers?: number;
  months?: readonly string[];
  /** USD of a product at a provider in a month */
  price?: (product: string, provider: number, month: number) => number;
  products?: readonly string[];
}

export const H100 = 'nvidia-h100-sxm-80gb';
export const A100 = 'nvidia-a100-sxm-80gb';
const MONTHS = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10'];

/** A price that differs by provider: 3 % from one to the next. */
const usual = (product: string, provider: number): number => (product === H100 ? 3 : 1.8) * (0.85 + 0.03 * provider);

/** Providers `p0`, `p1` ... in the United States and Germany in turn, neoclouds but for every fifth. */
export function smallMarket({
  providers = 12,
  months = MONTHS,
  price = usual,
  products = [H100, A100],
}: Given = {}): SeededVote[] {
  return Array.from({ length: providers }, (_, provider) =>
    products.flatMap((product) =>
      months.map((month, at): SeededVote => ({
        provider: `p${provider}`,
        sellers: provider % 5 === 4 ? 'Hyperscaler' : 'Neocloud',
        product,
        price_type: 0,
        country: provider % 2 === 0 ? 'US' : 'DE',
        cards: provider % 3 === 0 ? 8 : 1,
        day: `${month}-15`,
        price: price(product, provider, at),
      })),
    ),
  ).flat();
}
