import type { Transaction } from '../../platform/db/client.ts';

interface PresenceKey {
  provider_id: number;
  product_id: number;
  country: string;
}

/** Brings what is known of each provider's first and last day up to the votes of these days, which are new. */
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

/** Takes away those whose first or last day was one of these and is none any more: all their days are looked through again. */
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
