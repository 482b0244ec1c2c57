import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

interface KnownModel {
  model: string;
  model_type: string;
  total_param: number | null;
  active_param: number | null;
}

/** What is known of a model on the newest day up to `today`, by its whole name or by the name alone; of several models the first by name. */
export async function findModel(sql: Queryable, wanted: string, today: string): Promise<KnownModel | undefined> {
  const rows = await sql<KnownModel[]>`
    select model, model_type, total_param::float8, active_param::float8 from token_model_day
    where day <= ${today} and (lower(model) = ${wanted} or lower(model_name) = ${wanted})
    order by (lower(model) = ${wanted}) desc, model, day desc limit 1`;
  return maybeOne(rows);
}

interface CheapestPrice {
  day: string;
  source_id: string;
  price_output: number;
}

/** The lowest price above 0 of the newest day that has one, from `earliest` on. */
export async function findCheapest(
  sql: Queryable,
  model: string,
  { earliest, today }: { earliest: string; today: string },
): Promise<CheapestPrice | undefined> {
  const rows = await sql<CheapestPrice[]>`
    select day::text, source_id, price_output::float8 from token_book
    where model = ${model} and day between ${earliest} and ${today} and price_output > 0
    order by day desc, token_book.price_output, source_id limit 1`;
  return maybeOne(rows);
}
