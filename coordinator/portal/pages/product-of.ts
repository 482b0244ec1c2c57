import { z } from 'zod';
import { providerSourceType } from '../../contract/price-type.ts';
import type { findProduct } from '../../market/find-products.ts';
import { hotMarket, type HotMarket } from '../../market/hot-market.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Visit } from '../frame/visit.ts';

/** The kind of provider to which prices and votes are limited. */
export const sellersAsked = z.object({ provider_source_type: providerSourceType.optional() });

export interface MarketProduct {
  market: HotMarket;
  product: ReturnType<typeof findProduct>;
}

/** The product named by the path. Throws `not_found`. */
export async function productOf({ context, params }: Visit): Promise<MarketProduct> {
  const market = await hotMarket(context)();
  const product = [...market.products.values()].find(({ product_slug }) => product_slug === params['slug']);
  if (product === undefined) throw new DomainError('not_found', 'The product');
  return { market, product };
}

/** Navigation of a page below the product's own. */
export const underProduct = ({ product_slug, name }: MarketProduct['product']) => ({
  nav: 'market' as const,
  crumbs: [
    { href: '/market', label: 'Market' },
    { href: `/market/${product_slug}`, label: name },
  ],
});
