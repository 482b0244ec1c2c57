import { observer } from '../../../coordinator/ingest/observe.ts';
import { createRegionReader } from '../../../coordinator/market/identity/known-regions.ts';
import { createRulings } from '../../../coordinator/market/identity/label-rulings.ts';
import { createCountryMatcher } from '../../../coordinator/market/identity/match-country.ts';
import { createProductMatcher } from '../../../coordinator/market/identity/match-product.ts';
import { createProviderMatcher } from '../../../coordinator/market/identity/match-provider.ts';
import { createRates, readRulings, type Rate } from '../../../coordinator/market/ingestion/load-reference.ts';
import { products, providers, regions } from '../market/identity/table-rows.ts';
import type { Reading } from './read-source.ts';

const slugOf = new Map(products.map(({ product_id, slug }) => [product_id, slug]));

interface Seen {
  offer: string | null;
  /** a slug; `-` and the label if it has no product; `!` and why it is not read */
  product: string;
  priceType: number;
  gpuCount: number;
  /** USD per accelerator and hour; null without an observation */
  price: number | null;
  doubt: string | null;
  evidence: string | null;
  country: string | null;
}

const rulings = createRulings(await readRulings(), products);

/** What the listings of a file are seen as by the tables that come with the product, without a database. */
export function seenByTables({ reads }: Reading, rates: readonly Rate[] = []): Seen[] {
  const observe = observer(
    {
      product: createProductMatcher(products),
      productSlug: slugOf,
      rulings,
      region: createRegionReader(regions),
      provider: createProviderMatcher(providers),
      providerById: new Map(providers.map((one) => [one.provider_id, { ...one, aliases: [...one.aliases] }])),
      country: createCountryMatcher(regions, providers),
      usdPer: createRates(rates),
    },
    new Date('2026-11-20T12:00:00Z'),
  );
  return reads.flatMap((read): Seen[] => {
    if (!('listing' in read)) return [];
    const { offer, priceType, gpuCount } = read.listing;
    const observed = observe(read);
    const base = { offer, priceType, gpuCount, price: null, doubt: null, evidence: null, country: null };
    if (observed.kind === 'unmatched') return [{ ...base, product: `- ${observed.label}` }];
    if (observed.kind !== 'observation') return [{ ...base, product: `! ${observed.kind}` }];
    const { priced, price } = observed.observation;
    const { doubt, evidence, country, productId } = priced;
    return [{ ...base, product: slugOf.get(productId) ?? '', price, doubt, evidence, country }];
  });
}
