import type { ProviderSourceType } from '../../contract/price-type.ts';
import type { Queryable, Transaction } from '../../platform/db/client.ts';
import type { MatchableProduct } from '../identity/find-chip.ts';

/** A row of the providers' table. */
export interface ProviderTableRow {
  /** slug */
  id: string;
  name: string;
  aliases: string[];
  provider_source_type: ProviderSourceType;
  reseller: boolean;
  default_country: string | null;
}

/**
 * Upserts rows of the providers' table; rows that ship with the product (`seed`) do not overwrite imported ones.
 * Returns how many have changed.
 */
export async function upsertProviders(
  tx: Transaction,
  rows: readonly ProviderTableRow[],
  origin: 'seed' | 'import',
): Promise<number> {
  const written = await tx`
    insert into provider (slug, name, aliases, provider_source_type, reseller, country, origin)
    select r.id, r.name, array(select jsonb_array_elements_text(r.aliases)), r.provider_source_type, r.reseller,
      r.default_country, ${origin}
    from jsonb_to_recordset(${tx.json(rows)}) as r (id text, name text, aliases jsonb,
      provider_source_type text, reseller bool, default_country text)
    on conflict (slug) do update set name = excluded.name, aliases = excluded.aliases,
      provider_source_type = excluded.provider_source_type, reseller = excluded.reseller, country = excluded.country,
      origin = excluded.origin
    where (provider.origin = 'seed' or excluded.origin = 'import')
      and (provider.name, provider.aliases, provider.provider_source_type, provider.reseller, provider.country)
        is distinct from (excluded.name, excluded.aliases, excluded.provider_source_type, excluded.reseller,
        excluded.country)`;
  return written.count;
}

export async function selectProviderTable(sql: Queryable): Promise<ProviderTableRow[]> {
  return sql<ProviderTableRow[]>`
    select slug as id, name, aliases, provider_source_type, reseller, country as default_country
    from provider order by slug`;
}

interface KnownProvider {
  provider_id: number;
  slug: string;
  name: string;
  aliases: string[];
  country: string | null;
}

export async function selectKnownProviders(sql: Queryable): Promise<KnownProvider[]> {
  return sql<KnownProvider[]>`select provider_id, slug, name, aliases, country from provider order by slug`;
}

export async function selectMatchable(sql: Queryable): Promise<MatchableProduct[]> {
  return sql<MatchableProduct[]>`
    select product_id, slug, chip, name, manufacturer, mem, form_factor, labels from product order by product_id`;
}

/** What one unit of a currency is worth on a day, as a central bank published it. */
export interface Rate {
  currency: string;
  /** YYYY-MM-DD */
  day: string;
  usd: number;
}

export async function selectRates(sql: Queryable): Promise<Rate[]> {
  return sql<Rate[]>`select currency, day::text, usd from exchange_rate order by currency, day`;
}

export async function upsertRates(tx: Transaction, rates: readonly Rate[]): Promise<void> {
  await tx`
    insert into exchange_rate (currency, day, usd)
    select * from unnest(${rates.map(({ currency }) => currency)}::text[], ${rates.map(({ day }) => day)}::date[],
      ${rates.map(({ usd }) => usd)}::float8[])
    on conflict (currency, day) do update set usd = excluded.usd`;
}
