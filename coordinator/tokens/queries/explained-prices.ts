import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';
import type { TokenScreen } from '../screens.ts';
import type { SellerType } from '../sellers.ts';

export interface ExplainedPrice {
  source_id: string;
  source_type: SellerType;
  price_input: string;
  price_output: string;
  source: string;
  observed_on: string;
  /** the labels under which that reading has the price */
  labels: string;
  origin: string | null;
  screened_by: TokenScreen | null;
}

interface Asked {
  /** developer/name */
  model: string;
  day: string;
}

export const selectExplainedPrices = (sql: Queryable, { model, day }: Asked): Promise<ExplainedPrice[]> =>
  sql<ExplainedPrice[]>`
    select b.source_id, b.source_type, trim_scale(b.price_input)::text as price_input,
      trim_scale(b.price_output)::text as price_output, b.source, b.observed_on::text,
      (select string_agg(distinct o.label, ', ') from token_price_observation o
        where o.run_id = b.run_id and o.day = b.observed_on and o.model = b.model and o.seller = b.source_id
          and o.variant = 'standard' and (o.price_input, o.price_output) = (b.price_input, b.price_output)) as labels,
      coalesce(r.file, r.origin) as origin, b.screened_by
    from token_book b left join ingest_run r on r.id = b.run_id
    where b.model = ${model} and b.day = ${day}
    order by b.screened_by is not null, b.source_type = 'marketplace', b.source_id collate "C"`;

export interface PulseOfModel {
  avg_price_input: string | null;
  avg_price_output: string | null;
  med_price_input: string | null;
  med_price_output: string | null;
  sellers: number;
}

export const selectPulseOfModel = async (sql: Queryable, { model, day }: Asked): Promise<PulseOfModel | null> =>
  maybeOne(
    await sql<PulseOfModel[]>`
      select round(avg_price_input, 6)::text as avg_price_input, round(avg_price_output, 6)::text as avg_price_output,
        round(med_price_input, 6)::text as med_price_input, round(med_price_output, 6)::text as med_price_output, sellers
      from token_pulse where model = ${model} and day = ${day}`,
  ) ?? null;
