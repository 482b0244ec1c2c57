import type { Queryable, Transaction } from '../platform/db/client.ts';
import { lockByName } from '../platform/db/transactions.ts';
import { maybeOne, one } from '../platform/db/rows.ts';
import type { ModelDocument } from './model/model-document.ts';
import type { Vote } from './model/vote.ts';

/** Spot and on demand: terms are predicted by providers' own ratios to on demand. */
const PREDICTED = [-1, 0];

interface Range {
  first: string;
  last: string;
}

/**
 * One price per provider, product, price type, month and country: the median of its counted daily votes in the standard market.
 * The order is deterministic; at most `limit` rows.
 */
export async function selectMonthlyVotes(
  sql: Queryable,
  { first, last, limit }: Range & { limit: number },
): Promise<Vote[]> {
  return sql<Vote[]>`
    select r.slug as provider, r.provider_source_type as sellers, p.slug as product, p.chip, v.price_type, v.country,
      case when min(v.cards) = max(v.cards) and count(*) = count(v.cards) then min(v.cards)::float8 end as cards,
      max(v.day)::text as day, percentile_cont(0.5) within group (order by v.price) as price,
      count(*)::int4 as days
    from provider_price v join product p using (product_id) join provider r using (provider_id)
    where v.day between ${first} and ${last} and ${isPredicted(sql)}
    group by r.slug, r.provider_source_type, p.slug, p.chip, v.price_type, v.country, date_trunc('month', v.day::timestamp)
    order by r.slug collate "C", p.slug collate "C", v.price_type, max(v.day), v.country collate "C"
    limit ${limit}`;
}

/** First day with votes that a model can use; null if there are none. Scans all of them. */
export async function findFirstDay(sql: Queryable): Promise<string | null> {
  const row = one(
    await sql<{ day: string | null }[]>`select min(v.day)::text as day from provider_price v where ${isPredicted(sql)}`,
  );
  return row.day;
}

/** The newest day with votes that a model can use; null if there are none. */
export async function findNewestDay(sql: Queryable): Promise<string | null> {
  // `latest_price` gives it cheaply; the votes themselves are scanned only if nothing has been published there.
  const row = one(
    await sql<{ day: string | null }[]>`
    select coalesce(
      (select max(day) from latest_price where price_type = any(${PREDICTED}::int2[]) and country <> ''),
      (select max(v.day) from provider_price v where ${isPredicted(sql)}))::text as day`,
  );
  return row.day;
}

const isPredicted = (sql: Queryable) => sql`
  v.price_type = any(${PREDICTED}::int2[]) and v.country <> '' and v.segment = '' and not v.outlier`;

/** Sorting the votes of a year for their medians takes longer than a request is allowed to. */
export async function allowLongStatements(tx: Transaction): Promise<void> {
  await tx`set local statement_timeout = '10min'`;
}

/** The newest price of each provider, product and price type in a range, over all its countries. */
export async function selectLastPrices(
  sql: Queryable,
  { first, last }: Range,
): Promise<{ provider: string; product: string; price_type: number; price: number }[]> {
  return sql<{ provider: string; product: string; price_type: number; price: number }[]>`
    select distinct on (provider_id, product_id, price_type) r.slug as provider, p.slug as product, price_type, price
    from provider_price v join product p using (product_id) join provider r using (provider_id)
    where v.day between ${first} and ${last} and price_type = any(${PREDICTED}::int2[]) and v.country = '' and v.segment = ''
      and not outlier
    order by provider_id, product_id, price_type, v.day desc`;
}

interface StoredModel {
  model_version: string;
  trained_at: Date;
  as_of: string;
  state: 'serving' | 'refused' | 'retired';
  why: string | null;
  backtest: ModelDocument['backtest'];
}

export async function findServing(sql: Queryable): Promise<(StoredModel & { document: Buffer }) | null> {
  const rows = await sql<(StoredModel & { document: Buffer })[]>`
    select model_version, trained_at, as_of::text, state, why, backtest, document from prediction_model
    where state = 'serving'`;
  return maybeOne(rows) ?? null;
}

/** The model trained last, whatever its state. */
export async function findLatest(sql: Queryable): Promise<StoredModel | null> {
  const rows = await sql<StoredModel[]>`
    select model_version, trained_at, as_of::text, state, why, backtest from prediction_model
    order by trained_at desc, id desc limit 1`;
  return maybeOne(rows) ?? null;
}

/** No other process stores a model before this transaction ends. */
export async function lockModels(tx: Transaction): Promise<void> {
  await lockByName(tx, 'prediction models');
}

export async function retireServing(tx: Transaction): Promise<void> {
  await tx`update prediction_model set state = 'retired' where state = 'serving'`;
}

interface NewModel extends StoredModel {
  id: string;
  document: Buffer;
}

/** A model that is stored already gets the new state, reason and time; its bytes are the same. */
export async function storeModel(tx: Transaction, model: NewModel): Promise<void> {
  await tx`
    insert into prediction_model ${tx({ ...model, backtest: tx.json(model.backtest) })}
    on conflict (model_version) do update set trained_at = excluded.trained_at, state = excluded.state, why = excluded.why`;
}

/** Deletes the models that do not serve, except the newest `keep`. */
export async function pruneModels(tx: Transaction, keep: number): Promise<void> {
  await tx`
    delete from prediction_model where state <> 'serving' and model_version not in (
      select model_version from prediction_model where state <> 'serving' order by trained_at desc, id desc limit ${keep})`;
}

/** True for the process that should train on this day; if it dies, another one can claim the day after an hour. */
export async function claimDay(sql: Queryable, { day, now }: { day: string; now: Date }): Promise<boolean> {
  const rows = await sql`
    insert into prediction_training (day, begun_at) values (${day}, ${now})
    on conflict (day) do update set begun_at = excluded.begun_at
      where prediction_training.ended_at is null and prediction_training.begun_at < ${new Date(now.getTime() - 3_600_000)}
    returning day`;
  return rows.length > 0;
}

export async function endDay(sql: Queryable, { day, now }: { day: string; now: Date }): Promise<void> {
  await sql`update prediction_training set ended_at = ${now} where day = ${day}`;
  await sql`delete from prediction_training where day < ${day}::date - 30`;
}
