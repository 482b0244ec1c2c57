-- What can be bought: the catalogue. Rows come with the product (`seed`) or from an operator's file (`import`).
create table product (
  product_id int4 primary key check (product_id > 0),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  name text not null check (name <> ''),
  chip text not null check (chip <> ''),
  manufacturer text not null check (manufacturer <> ''),
  accelerator_type text not null check (accelerator_type in ('gpu', 'asic', 'fpga')),
  form_factor text,
  mem float8 check (mem > 0),
  mem_bus int4 check (mem_bus > 0),
  bus text,
  bandwidth float8 check (bandwidth > 0),
  tdp float8 check (tdp > 0),
  fp16 float8 check (fp16 > 0),
  msrp float8 check (msrp > 0),
  released_date date,
  -- where the figures come from
  source text not null check (source <> ''),
  -- further labels that mean it, beside the rules of market identity
  labels text[] not null default '{}',
  origin text not null check (origin in ('seed', 'import'))
);

create table provider (
  provider_id int4 primary key generated always as identity,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  name text not null check (name <> ''),
  aliases text[] not null default '{}',
  provider_source_type text not null check (provider_source_type in ('Hyperscaler', 'Neocloud', 'Marketplace')),
  -- lists machines of others: stored, and left out of averages
  reseller boolean not null,
  -- where all its machines are; null where it has several countries
  country text check (country ~ '^[A-Z]{2}$'),
  origin text not null check (origin in ('seed', 'import'))
);

-- USD for one of the currency, as the European Central Bank's reference rates give it.
create table exchange_rate (
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  day date not null,
  usd float8 not null check (usd > 0),
  primary key (currency, day)
);

-- One reading of one source. Its rows stand or fall together.
create table ingest_run (
  id int8 primary key,
  source text not null,
  -- what part of the source it was: a cloud, a card; two runs of one part and day do not stand beside each other
  scope text not null,
  origin text not null,
  content_sha256 bytea not null,
  etag text,
  first_day date,
  last_day date,
  rows_read int8 not null,
  rows_kept int8 not null,
  -- {reason: rows}
  refused jsonb not null,
  unmatched int8 not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  -- a later run brought the same days again
  replaced_by int8 references ingest_run
);
create index ingest_run_source on ingest_run (source, scope, ended_at desc);

-- What sources said, never changed. A day that is read again replaces that day of that source and scope as a whole.
create table observation (
  observed_at timestamptz not null,
  run_id int8 not null,
  product_id int4 not null,
  provider_id int4 not null,
  -- 24 and 36: reserved for 2 and 3 years, for the forward curve
  price_type int2 not null check (price_type in (-1, 0, 1, 3, 6, 12, 24, 36, 100, 101, 102)),
  -- null: not said
  country text,
  region text,
  -- USD per accelerator and hour; retail: USD per card
  price float8 not null check (price > 0 and price < 'infinity'),
  original_price float8 not null,
  currency text not null,
  -- USD for one of the currency on that day
  rate float8 not null,
  gpu_count float4 not null check (gpu_count > 0),
  cluster_size int2 not null check (cluster_size > 0),
  offer text
) partition by range (observed_at);
-- Rows arrive by day, so that a day's blocks lie together; a tree of 50 million rows would cost more than the rows.
create index observation_time on observation using brin (observed_at) with (pages_per_range = 32);

-- Labels and providers that nothing in the tables means. Their rows are not kept; the file can be read again.
create table unmatched_label (
  source text not null,
  kind text not null check (kind in ('product', 'provider')),
  label text not null,
  rows int8 not null,
  first_seen date not null,
  last_seen date not null,
  primary key (source, kind, label)
);

-- One vote per provider, product, term, country and day: the median of its offers. '' is the vote over all countries.
create table provider_price (
  day date not null,
  product_id int4 not null,
  price_type int2 not null,
  country text not null,
  provider_id int4 not null,
  price float8 not null,
  observations int4 not null,
  -- far from the other providers' votes of the day: kept, and not counted
  outlier boolean not null,
  primary key (product_id, price_type, country, day, provider_id)
) partition by range (day);
create index provider_price_day on provider_price using brin (day);

-- The published price of a day. A day without observations has no row.
create table daily_price (
  day date not null,
  product_id int4 not null,
  price_type int2 not null,
  country text not null,
  price float8 not null,
  price_median float8 not null,
  provider_count int4 not null,
  sample_size int4 not null,
  primary key (product_id, price_type, country, day)
) partition by range (day);

-- The newest of them, for the lists that show nothing else.
create table latest_price (
  product_id int4 not null,
  price_type int2 not null,
  country text not null,
  day date not null,
  price float8 not null,
  price_median float8 not null,
  provider_count int4 not null,
  sample_size int4 not null,
  primary key (product_id, price_type, country)
);

-- Since when and until when a provider's prices of a product in a country were observed. The list of providers is made of it:
-- the votes themselves are too many to be read through after every ingestion.
create table provider_presence (
  provider_id int4 not null,
  product_id int4 not null,
  country text not null,
  first_day date not null,
  last_day date not null,
  primary key (provider_id, product_id, country)
);

-- What readers may keep until it changes.
create table market_version (
  is_single boolean primary key default true check (is_single),
  version int8 not null
);
insert into market_version (version) values (1);

create table archive_file (
  id int8 primary key,
  sequence_id int8 generated always as identity,
  tier int2 not null check (tier in (2, 3)),
  interval text not null check (interval in ('day', 'month', 'quarter', 'year')),
  type text not null check (type in ('rental', 'retail')),
  period text not null,
  first_day date not null,
  last_day date not null,
  -- which announcement's columns it has
  schema_version text not null,
  artifact_key text not null,
  row_count int8 not null,
  size_bytes int8 not null,
  built_at timestamptz not null,
  -- of the rows that it was built from; a build with the same has nothing to do
  fingerprint bytea not null,
  unique (tier, interval, type, period)
);
create index archive_file_period on archive_file (first_day);

-- What an archive file was before it was built anew: links to it are still about, for as long as they last.
create table replaced_archive (
  artifact_key text primary key,
  replaced_at timestamptz not null
);

-- Rows of these tables come for days nobody knew before: a partition is made when the first row for it does. It is made
-- beside the table and then attached, which stops no reader.
create function add_market_partition(parent text, name text, first_day date, last_day date) returns void
language plpgsql as $$
begin
  if to_regclass(name) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('partition ' || name, 0));
  if to_regclass(name) is not null then
    return;
  end if;
  execute format('create table %I (like %I including all)', name, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, first_day, last_day);
end
$$;
