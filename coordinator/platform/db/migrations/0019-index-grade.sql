-- What a source said, word for word and where, and whether it speaks of the market's standard offer. Rows from before have none
-- of it; they vote as they did.
alter table observation
  -- the source's own words for the accelerator
  add column label text,
  -- counted from 1 within its file, and the first bytes of the SHA-256 of what the row says
  add column row int4,
  add column row_hash bytea,
  -- why the words mean this product where they alone would not
  add column evidence text,
  -- a market of its own, which votes only there; null: the standard one
  add column segment text,
  -- the number of accelerators is stated; else the price is of one of them, in a machine of any size
  add column sized boolean not null default true,
  -- why it is kept and does not vote
  add column doubt text;
alter table replaced_observation
  add column label text,
  add column row int4,
  add column row_hash bytea,
  add column evidence text,
  add column segment text,
  add column sized boolean not null default true,
  add column doubt text;
alter table ingest_run
  -- the file within what was fetched; null: the same
  add column file text;

alter table provider_price
  add column segment text not null default '',
  -- accelerators of the machine that the vote is of; null: not stated
  add column cards float4,
  -- of the observations that are in it
  add column oldest_quote date,
  -- days that the quote holds for the index
  add column valid_days int2 not null default 1,
  -- what its provider asked over the 30 days before, which the vote was held against; null: nothing
  add column own_level float8,
  -- why it does not count
  add column screened_by text;
alter table provider_price drop constraint provider_price_pkey;
alter table provider_price add primary key (product_id, price_type, country, day, provider_id, segment);

alter table daily_price
  add column p10 float8,
  add column p90 float8,
  add column oldest_quote date,
  add column status text check (status in ('ok', 'thin', 'insufficient'));
alter table latest_price
  add column p10 float8,
  add column p90 float8,
  add column oldest_quote date,
  add column status text check (status in ('ok', 'thin', 'insufficient'));

-- By which rules the prices of a day were computed: those of earlier rules are computed again.
create table priced_day (
  day date primary key,
  rules int2 not null,
  priced_at timestamptz not null
);

-- What an earlier release computed is computed again in the background.
insert into priced_day (day, rules, priced_at) select day, 1, now() from daily_price group by day;

-- A published price that was published otherwise before.
create table restatement (
  id int8 generated always as identity primary key,
  at timestamptz not null,
  day date not null,
  product_id int4 not null,
  price_type int2 not null,
  -- in which it changed, '' among them for the price over all
  countries text[] not null,
  -- the price over all countries; null: there was none, or there is none any more
  before float8,
  after float8,
  reason text not null,
  -- the reading that it came of
  run_id int8
);
create index restatement_day on restatement (day, product_id);
create index restatement_at on restatement (at);

-- What an operator says of a provider's prices that the screens keep out.
create table vote_ruling (
  id int8 generated always as identity primary key,
  provider_id int4 not null references provider,
  product_id int4 not null references product,
  price_type int2 not null,
  first_day date not null,
  last_day date,
  reason text not null check (reason <> ''),
  made_at timestamptz not null
);

-- What stands behind a price comes with these tiers; an operator may take it from them again.
update tier_terms set products = array_append(products, 'price-evidence')
where tier in ('professional', 'enterprise') and not 'price-evidence' = any(products);
