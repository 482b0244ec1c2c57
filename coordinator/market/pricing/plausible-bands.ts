import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isRetail } from '../../contract/price-type.ts';
import { readTable } from '../../platform/read-table.ts';
import type { PricedProduct } from '../queries/pricing-terms.ts';

/** What a product plausibly costs: USD per accelerator and hour, or of retail USD per card. */
export interface Band {
  low: number;
  high: number;
}

/** A card without a band of its own costs between a tenth and six times of what its maker asked. */
const RETAIL_OF_MSRP: Band = { low: 0.1, high: 6 };

const price = z.coerce.number().positive();
/** A row of `bands.csv`; its reason says which published prices it was drawn around. */
export const bandRow = z.strictObject({
  product_slug: z.string(),
  market: z.enum(['rental', 'retail']),
  low: price,
  high: price,
  reason: z.string().min(1),
});
export type BandRow = z.output<typeof bandRow>;

export const readBands = async (): Promise<BandRow[]> =>
  readTable('bands.csv', await readFile(join(import.meta.dirname, 'bands.csv'), 'utf8'), bandRow);

/** The band of a product and term; null: none is known, and nothing is held against it. */
export async function plausibleBands(
  products: readonly PricedProduct[],
): Promise<(productId: number, priceType: number) => Band | null> {
  const bands = new Map((await readBands()).map((row) => [`${row.product_slug} ${row.market}`, row]));
  const byId = new Map(products.map((product) => [product.product_id, product]));
  return (productId, priceType) => {
    const product = byId.get(productId);
    if (product === undefined) return null;
    const known = bands.get(`${product.slug} ${isRetail(priceType) ? 'retail' : 'rental'}`);
    if (known !== undefined || !isRetail(priceType) || product.msrp === null) return known ?? null;
    return { low: product.msrp * RETAIL_OF_MSRP.low, high: product.msrp * RETAIL_OF_MSRP.high };
  };
}
