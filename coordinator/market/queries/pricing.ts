import type { Queryable, Transaction } from '../../platform/db/client.ts';

/** Days after this one that have votes. */
export async function selectDaysAfter(sql: Queryable, day: string): Promise<string[]> {
  const rows = await sql<{ day: string }[]>`select day::text from priced_day where day > ${day} order by day`;
  return rows.map((row) => row.day);
}

/** Days that have votes; `last` null: up to the newest. */
export async function selectPricedDays(
  sql: Queryable,
  { first, last }: { first: string; last: string | null },
): Promise<string[]> {
  const rows = await sql<{ day: string }[]>`
    select day::text from priced_day where day >= ${first} and (${last}::date is null or day <= ${last}) order by day`;
  return rows.map((row) => row.day);
}

/** The earliest days that were priced by earlier rules. */
export async function selectDaysOfEarlierRules(
  sql: Queryable,
  { rules, limit }: { rules: number; limit: number },
): Promise<string[]> {
  const rows = await sql<{ day: string }[]>`
    select day::text from priced_day where rules < ${rules} order by day limit ${limit}`;
  return rows.map((row) => row.day);
}

export async function markPriced(
  tx: Transaction,
  { days, rules, at }: { days: readonly string[]; rules: number; at: Date },
): Promise<void> {
  await tx`
    insert into priced_day (day, rules, priced_at) select unnest(${days}::date[]), ${rules}, ${at}
    on conflict (day) do update set rules = excluded.rules, priced_at = excluded.priced_at`;
  // A day whose last observation was undone has no prices and need not be computed again.
  await tx`
    delete from priced_day p
    where day = any(${days}::date[]) and not exists (select from provider_price v where v.day = p.day)`;
}

export interface Restatement {
  day: string;
  product_id: number;
  price_type: number;
  countries: string[];
  before: number | null;
  after: number | null;
}

export async function insertRestatements(
  tx: Transaction,
  rows: readonly Restatement[],
  { reason, runId, at }: { reason: string; runId: string | null; at: Date },
): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into restatement (at, day, product_id, price_type, countries, before, after, reason, run_id)
    select ${at}, r.day, r.product_id, r.price_type, r.countries, r.before, r.after, ${reason}, ${runId}::int8
    from jsonb_to_recordset(${tx.json(rows)}) as r (day date, product_id int4, price_type int2,
      countries text[], before float8, after float8)
    order by r.day, r.product_id, r.price_type`;
}

interface PresenceKey {
  provider_id: number;
  product_id: number;
  country: string;
}

/** Updates each provider's first and last day from the votes of these days, which were just written. */
export async function refreshPresence(tx: Transaction, days: readonly string[]): Promise<void> {
  await tx`
    insert into provider_presence as known (provider_id, product_id, country, first_day, last_day)
    select provider_id, product_id, country, min(day), max(day) from provider_price
    where day = any(${days}::date[]) and country <> '' group by provider_id, product_id, country
    on conflict (provider_id, product_id, country) do update
      set first_day = least(known.first_day, excluded.first_day), last_day = greatest(known.last_day, excluded.last_day)
      where (known.first_day, known.last_day) is distinct from (least(known.first_day, excluded.first_day),
        greatest(known.last_day, excluded.last_day))`;
  const lost = await deleteLost(tx, days);
  if (lost.length === 0) return;
  await tx`
    insert into provider_presence (provider_id, product_id, country, first_day, last_day)
    select provider_id, product_id, country, min(day), max(day)
    from unnest(${lost.map((key) => key.provider_id)}::int4[], ${lost.map((key) => key.product_id)}::int4[],
      ${lost.map((key) => key.country)}::text[]) as lost (provider_id, product_id, country)
    join provider_price using (provider_id, product_id, country) group by provider_id, product_id, country`;
}

/**
 * Deletes rows whose first or last day is one of these and has no vote now; their keys are returned, to be recomputed
 * from all days.
 */
async function deleteLost(tx: Transaction, days: readonly string[]): Promise<PresenceKey[]> {
  const hasVoteOn = (day: 'first_day' | 'last_day') => tx`
    exists (select from provider_price v where v.provider_id = p.provider_id and v.product_id = p.product_id
      and v.country = p.country and v.day = p.${tx(day)})`;
  return tx<PresenceKey[]>`
    delete from provider_presence p
    where (first_day = any(${days}::date[]) and not ${hasVoteOn('first_day')})
      or (last_day = any(${days}::date[]) and not ${hasVoteOn('last_day')})
    returning provider_id, product_id, country`;
}

export interface PricedProduct {
  product_id: number;
  slug: string;
  form_factor: string | null;
  msrp: number | null;
}

/** The fields of products that the rules of pricing use. */
export async function selectPricedProducts(sql: Queryable): Promise<PricedProduct[]> {
  return sql<PricedProduct[]>`select product_id, slug, form_factor, msrp from product`;
}

export async function selectMarketplaces(sql: Queryable): Promise<number[]> {
  const rows = await sql<{ provider_id: number }[]>`
    select provider_id from provider where provider_source_type = 'Marketplace'`;
  return rows.map(({ provider_id }) => provider_id);
}

interface Ruling {
  provider_id: number;
  product_id: number;
  price_type: number;
  first_day: string;
  last_day: string | null;
}

export async function selectRulings(sql: Queryable): Promise<Ruling[]> {
  return sql<Ruling[]>`
    select provider_id, product_id, price_type, first_day::text, last_day::text from vote_ruling order by id`;
}

/** Providers whose offers do not vote, because they resell the machines of others. */
export async function selectResellers(sql: Queryable): Promise<number[]> {
  const rows = await sql<{ provider_id: number }[]>`select provider_id from provider where reseller`;
  return rows.map(({ provider_id }) => provider_id);
}

/** The ranges of days in which other readings can have observations. */
export async function selectReadingsBeside(
  sql: Queryable,
  { first, last, runId }: { first: string; last: string; runId: string },
): Promise<{ first_day: string; last_day: string }[]> {
  return sql<{ first_day: string; last_day: string }[]>`
    select distinct first_day::text, last_day::text from ingest_run
    where first_day <= ${last} and last_day >= ${first} and id <> ${runId}`;
}
