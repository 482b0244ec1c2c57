import type { Queryable, Transaction } from '../../platform/db/client.ts';

/** Days after one that have votes. */
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
  // A day whose last observation was taken back has no prices, and none to be computed again.
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
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (day date, product_id int4, price_type int2,
      countries text[], before float8, after float8)
    order by r.day, r.product_id, r.price_type`;
}
