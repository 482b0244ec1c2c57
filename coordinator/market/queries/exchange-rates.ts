import type { Queryable, Transaction } from '../../platform/db/client.ts';
import type { Rate } from '../ingestion/exchange-rates.ts';

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
