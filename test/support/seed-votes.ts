import type { Sql } from '../../coordinator/platform/db/client.ts';
import { bumpDataVersion } from '../../coordinator/platform/db/data-version.ts';

/** A provider's counted vote of a day, as an ingestion would leave it. */
export interface SeededVote {
  provider: string;
  sellers: 'Hyperscaler' | 'Neocloud' | 'Marketplace';
  /** slug of the catalogue */
  product: string;
  price_type: number;
  country: string;
  cards: number | null;
  day: string;
  price: number;
}

const BATCH = 50_000;

/** Votes into the market, with the provider's price over all countries beside those of its only country; providers are made. */
export async function seedVotes(sql: Sql, votes: readonly SeededVote[]): Promise<void> {
  const providers = new Map(votes.map(({ provider, sellers }) => [provider, sellers]));
  await sql`
    insert into provider (slug, name, provider_source_type, reseller, origin)
    select slug, slug, sellers, false, 'import'
    from unnest(${[...providers.keys()]}::text[], ${[...providers.values()]}::text[]) v (slug, sellers)
    on conflict (slug) do nothing`;
  for (const year of new Set(votes.map(({ day }) => Number(day.slice(0, 4)))))
    await sql`select add_market_partition('provider_price', ${`provider_price_${year}`}, ${`${year}-01-01`}, ${`${year + 1}-01-01`})`;
  for (let at = 0; at < votes.length; at += BATCH) {
    const some = votes.slice(at, at + BATCH);
    await sql`
      insert into provider_price (day, product_id, price_type, country, provider_id, price, observations, outlier, cards)
      select v.day, p.product_id, v.price_type, place, r.provider_id, v.price, 1, false, v.cards
      from unnest(${some.map(({ day }) => day)}::date[], ${some.map(({ product }) => product)}::text[],
        ${some.map(({ price_type }) => price_type)}::int2[], ${some.map(({ country }) => country)}::text[],
        ${some.map(({ provider }) => provider)}::text[], ${some.map(({ price }) => price)}::float8[],
        ${some.map(({ cards }) => cards)}::float4[]) v (day, product, price_type, country, provider, price, cards)
      join product p on p.slug = v.product join provider r on r.slug = v.provider
      cross join lateral unnest(array['', v.country]) place
      on conflict do nothing`;
  }
  await sql.begin((tx) => bumpDataVersion(tx, 'market'));
}
