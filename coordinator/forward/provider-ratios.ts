import type { Queryable } from '../platform/db/client.ts';
import { providerTerms } from './provider-terms.ts';
import { selectRates } from './queries.ts';

interface OwnRatio {
  product_id: number;
  provider: string;
  sellers: string;
  /** months */
  tenor: number;
  ratio: number;
  day: string;
}

/** What each provider's own terms cost over its own price on demand, by product; a mix of contracts has none. */
export async function providerRatios(
  { sql }: { sql: Queryable },
  range: { first: string; last: string },
): Promise<OwnRatio[]> {
  const rates = await selectRates(sql, range);
  return [...Map.groupBy(rates, ({ product_id, provider }) => `${product_id} ${provider}`).values()].flatMap((rows) => {
    const terms = providerTerms(rows);
    const [{ product_id, provider_source_type: sellers } = null as never] = rows;
    if ('reason' in terms) return [];
    const { provider, day } = terms;
    return terms.ratios.map(({ tenor, ratio }) => ({ product_id, provider, sellers, tenor, ratio, day }));
  });
}
