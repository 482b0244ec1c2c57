import type { Standing, Terms, TokenIndexTerms } from '../../contract/terms.ts';
import type { Tier } from '../../contract/user.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

interface StandingRow extends Terms, TokenIndexTerms {
  tier: Tier;
  subscribed: boolean;
  tiers_with: Standing['tiersWith'] | null;
}

/** The newest of the subscriptions that have begun and not ended. */
export const currentSubscription = (sql: Queryable, now: Date) => sql`
  select s.tier from subscription s
  where s.customer_id = c.id and s.starts_at <= ${now} and (s.ends_at is null or s.ends_at > ${now})
  order by s.starts_at desc, s.id desc limit 1`;

export async function findStanding(sql: Queryable, customerId: string, now: Date): Promise<Standing | null> {
  const row = maybeOne(
    await sql<StandingRow[]>`
    select t.tier, current.tier is not null as subscribed,
      coalesce(own.products, t.products) as products,
      coalesce(own.applications, t.applications) as applications,
      coalesce(own.tokens_per_application, t.tokens_per_application) as tokens_per_application,
      coalesce(own.token_days, t.token_days) as token_days,
      coalesce(own.api_keys, t.api_keys) as api_keys,
      coalesce(own.requests_per_minute, t.requests_per_minute) as requests_per_minute,
      coalesce(own.burst, t.burst) as burst,
      coalesce(own.history_days, t.history_days) as history_days,
      coalesce(own.archive_tiers, t.archive_tiers) as archive_tiers,
      own.token_index_tokens, own.token_index_versions,
      own.token_index_from::text, own.token_index_to::text,
      (select jsonb_object_agg(product, tiers) from (
        select product, jsonb_agg(tier order by requests_per_minute, tier) as tiers
        from tier_terms, unnest(tier_terms.products) product group by product
      ) offered) as tiers_with
    from customer c
    left join lateral (${currentSubscription(sql, now)}) current on true
    join tier_terms t on t.tier = coalesce(current.tier, 'basic')
    -- What was agreed beside a subscription ends with it.
    left join customer_terms own on own.customer_id = c.id and current.tier is not null
    where c.id = ${customerId}`,
  );
  if (!row) return null;
  const { tier, subscribed, tiers_with, ...terms } = row;
  return { tier, subscribed, terms, tiersWith: tiers_with ?? {} };
}

export interface NewSubscription {
  id: string;
  customerId: string;
  tier: Tier;
  startsAt: Date;
  /** null: until ended */
  endsAt: Date | null;
  now: Date;
}

export async function insertSubscription(tx: Queryable, subscription: NewSubscription): Promise<void> {
  const { id, customerId, tier, startsAt, endsAt, now } = subscription;
  await tx`
    insert into subscription (id, customer_id, tier, starts_at, ends_at, created_at)
    values (${id}, ${customerId}, ${tier}, ${startsAt}, ${endsAt}, ${now})`;
}
