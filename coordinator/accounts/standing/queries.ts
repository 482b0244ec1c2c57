import type { Standing, Terms, TokenIndexTerms } from '../../contract/terms.ts';
import { tier, type Role, type Tier } from '../../contract/user.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';
import type { Bucket } from '../../platform/limits/rate.ts';

interface StandingRow extends Terms, TokenIndexTerms {
  tier: Tier;
  subscribed: boolean;
  tiers_with: Standing['tiersWith'] | null;
}

/** The newest of the subscriptions that have begun and not ended. */
export const currentSubscription = (sql: Queryable, now: Date) => sql`
  select s.tier, s.ends_at from subscription s
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

interface NewSubscription {
  id: string;
  customer_id: string;
  tier: Tier;
  starts_at: Date;
  /** null if open-ended */
  ends_at: Date | null;
  created_at: Date;
}

export async function insertSubscription(tx: Queryable, subscription: NewSubscription): Promise<void> {
  await tx`insert into subscription ${tx(subscription)}`;
}

interface TierRow extends Terms {
  tier: Tier;
  updated_at: Date;
}

/** The smallest tier first. */
export async function selectTiers(sql: Queryable): Promise<TierRow[]> {
  return sql<TierRow[]>`select * from tier_terms order by array_position(${tier.options as string[]}::text[], tier)`;
}

export async function updateTier(tx: Queryable, name: Tier, changes: Partial<Terms>, now: Date): Promise<void> {
  await tx`update tier_terms set ${tx({ ...changes, updated_at: now })} where tier = ${name}`;
}

export interface SubscriptionRow {
  id: string;
  tier: Tier;
  starts_at: Date;
  ends_at: Date | null;
}

export async function selectSubscriptions(sql: Queryable, customerId: string): Promise<SubscriptionRow[]> {
  return sql<SubscriptionRow[]>`
    select id, tier, starts_at, ends_at from subscription where customer_id = ${customerId}
    order by starts_at desc, id desc`;
}

/** Null if there is no such subscription, if it is over, or if it begins after `at`. */
export async function endSubscriptionRow(
  tx: Queryable,
  { id, customerId, at, now }: { id: string; customerId: string; at: Date; now: Date },
): Promise<{ tier: Tier } | null> {
  const rows = await tx<{ tier: Tier }[]>`
    update subscription set ends_at = ${at}
    where id = ${id} and customer_id = ${customerId} and starts_at <= ${at} and (ends_at is null or ends_at > ${now})
    returning tier`;
  return maybeOne(rows) ?? null;
}

/** `changes`: columns of `customer_terms` and their values; null restores the tier's. */
export async function updateCustomerTerms(
  tx: Queryable,
  customerId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  const row = { customer_id: customerId, ...changes };
  await tx`
    insert into customer_terms ${tx(row as Record<string, string>)}
    on conflict (customer_id) do update set ${tx(changes as Record<string, string>)}`;
}

export interface CustomerRow {
  id: string;
  name: string;
  tier: Tier | null;
  ends_at: Date | null;
  users: number;
  created_at: Date;
}

export async function selectCustomers(sql: Queryable, now: Date, limit: number): Promise<CustomerRow[]> {
  return sql<CustomerRow[]>`
    select c.id, c.name, current.tier, current.ends_at, c.created_at,
      (select count(*)::int from user_account u where u.customer_id = c.id) as users
    from customer c left join lateral (${currentSubscription(sql, now)}) current on true
    order by lower(c.name) limit ${limit}`;
}

export interface InUse {
  applications: number;
  /** valid now */
  tokens: number;
  key_names: number;
  keys: number;
}

/** How much the customer uses of what a tier limits. */
export async function countInUse(sql: Queryable, customerId: string, now: Date): Promise<InUse> {
  return one(
    await sql<InUse[]>`
    select (select count(*)::int from application where customer_id = ${customerId}) as applications,
      (select count(*)::int from application_token t join application a on a.id = t.application_id
        where a.customer_id = ${customerId} and t.revoked_at is null and t.expires_at > ${now}) as tokens,
      (select count(*)::int from api_key_name where customer_id = ${customerId}) as key_names,
      (select count(*)::int from api_key k join api_key_name n on n.id = k.name_id
        where n.customer_id = ${customerId} and k.expires_at > ${now}) as keys`,
  );
}

export interface BucketRow {
  kind: Extract<Bucket['kind'], 'user' | 'app' | 'key'>;
  id: string;
  name: string;
  /** distinguishes credentials of one name */
  detail: string;
  role: Role | null;
  /** tokens in the shared bucket when it was last used, and the seconds since; null if it is full */
  tokens: number | null;
  seconds: number | null;
}

/**
 * The buckets of a customer's enabled people and valid credentials. Each is looked up by its key: the table has those of every
 * customer and of many addresses. Only that person's if `userId` is given; tokens of applications only if `hasTokens`.
 */
export async function selectBuckets(
  sql: Queryable,
  of: { customerId: string; userId: string | null; hasTokens: boolean; now: Date },
): Promise<BucketRow[]> {
  const programs = sql`
    union all
    select 'key', k.id, n.name, k.key_prefix, null
    from api_key k join api_key_name n on n.id = k.name_id
    where n.customer_id = ${of.customerId} and k.expires_at > ${of.now}`;
  const tokens = sql`
    union all
    select 'app', t.id, a.name, t.token_prefix, null
    from application_token t join application a on a.id = t.application_id
    where a.customer_id = ${of.customerId} and t.revoked_at is null and t.expires_at > ${of.now}`;
  return sql<BucketRow[]>`
    select kind, id, name, detail, role, tokens, seconds
    from (
      select 'user' as kind, id, coalesce(nullif(trim(concat(first_name, ' ', last_name)), ''), email) as name,
        email as detail, role
      from user_account
      where customer_id = ${of.customerId} and disabled_at is null and (${of.userId}::int8 is null or id = ${of.userId}::int8)
      ${of.userId === null ? programs : sql``} ${of.userId === null && of.hasTokens ? tokens : sql``}
    ) who
    left join lateral (
      select b.tokens, greatest(0, extract(epoch from now() - b.at))::float8 as seconds
      from rate_bucket b where b.key = who.kind || ':' || who.id limit 1
    ) bucket on true`;
}

/** Serialises the creation of things that a tier limits, until the transaction ends. */
export async function lockCustomer(tx: Queryable, customerId: string): Promise<void> {
  await tx`select from customer where id = ${customerId} for update`;
}
