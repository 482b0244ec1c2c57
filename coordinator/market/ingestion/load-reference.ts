import type { Context } from '../../platform/context.ts';
import { createRegionReader } from '../identity/known-regions.ts';
import { createRulings } from '../identity/label-rulings.ts';
import { createCountryMatcher } from '../identity/match-country.ts';
import { createProductMatcher } from '../identity/match-product.ts';
import { createProviderMatcher } from '../identity/match-provider.ts';
import { selectKnownProviders, selectMatchable } from '../queries/providers.ts';
import { selectRates } from '../queries/exchange-rates.ts';
import { readRegions } from '../reference/ensure-providers.ts';
import { readRulings } from '../reference/read-rulings.ts';
import { createRates } from './exchange-rates.ts';
import { remembering } from './remembering.ts';

/** What words mean while a file is read: products, providers, places and currencies as they are at its start. */
export type Reference = Awaited<ReturnType<typeof loadReference>>;

export async function loadReference({ sql }: Context) {
  const [products, providers, regions, rulings, rates] = await Promise.all([
    selectMatchable(sql),
    selectKnownProviders(sql),
    readRegions(),
    readRulings(),
    selectRates(sql),
  ]);
  return {
    product: createProductMatcher(products),
    productSlug: new Map(products.map(({ product_id, slug }) => [product_id, slug])),
    rulings: createRulings(rulings, products),
    region: createRegionReader(regions),
    provider: createProviderMatcher(providers),
    providerById: new Map(providers.map((provider) => [provider.provider_id, provider])),
    country: createCountryMatcher(regions, providers),
    usdPer: remembering(createRates(rates), (currency, day) => `${currency} ${day}`),
  };
}
