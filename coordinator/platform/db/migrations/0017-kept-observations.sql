-- Observations that a later reading took the place of are kept, and a reading says how much of its source it covers.

-- What is left of earlier readings: of those that were partly replaced it is less than they had. It is counted before
-- anything is locked, for all observations are read.
create temporary table covered on commit drop as
select run_id, count(distinct day) as days, count(distinct product_id) as products,
  count(distinct provider_id) as providers, sum(rows) as rows
from (
  select run_id, observed_at::date as day, product_id, provider_id, count(*) as rows
  from observation group by 1, 2, 3, 4
) seen group by run_id;

alter table ingest_run
  -- days with observations, and the products and providers of them; null: of token prices
  add column days int4,
  add column products int4,
  add column providers int4,
  -- an operator let it in although it had far fewer than readings before it: later ones are measured from here on
  add column drop_accepted boolean not null default false,
  -- what it replaced was kept, so that it can be undone
  add column keeps_replaced boolean not null default false,
  -- observations of earlier readings that it took the place of; null: not counted then
  add column rows_replaced int8,
  -- of its own observations, those that do not stand any more
  add column rows_aside int8 not null default 0,
  -- its own observations were put aside and those that it had replaced came back; it is then replaced by itself
  add column undone_at timestamptz;

update ingest_run r
set days = c.days, products = c.products, providers = c.providers, rows_aside = r.rows_kept - c.rows
from covered c where c.run_id = r.id;
update ingest_run set rows_aside = rows_kept where replaced_by is not null;

-- As they stood, with the run that put them aside: their own where it was undone. Rows of one reading come at once, so that
-- their blocks lie together.
create table replaced_observation (
  replaced_by int8 not null,
  observed_at timestamptz not null,
  run_id int8 not null,
  product_id int4 not null,
  provider_id int4 not null,
  price_type int2 not null,
  country text,
  region text,
  price float8 not null,
  original_price float8 not null,
  currency text not null,
  rate float8 not null,
  gpu_count float4 not null,
  cluster_size int2 not null,
  offer text
);
create index replaced_observation_by on replaced_observation using brin (replaced_by)
  with (pages_per_range = 32, autosummarize = on);
