-- Forward curves of rental rates, and models that predict prices.

-- What a provider publishes as the price of a commitment over its price on demand: an operator's table.
create table committed_use_ratio (
  provider_id int4 not null references provider,
  tenor_months int2 not null check (tenor_months in (12, 36)),
  as_of date not null,
  ratio float8 not null check (ratio > 0 and ratio <= 1),
  source_url text not null check (source_url <> ''),
  primary key (provider_id, tenor_months, as_of)
);

-- The curve of a product and kind of provider on a business day, with all it was made of. Never changed.
create table forward_curve (
  id int8 primary key,
  product_id int4 not null references product,
  provider_source_type text not null check (provider_source_type in ('Hyperscaler', 'Neocloud', 'Marketplace')),
  as_of date not null,
  computed_at timestamptz not null,
  longest_months float8 not null check (longest_months > 0),
  providers text[] not null,
  flags text[] not null,
  -- votes, ratios and providers that were left out, as they were on that day
  inputs jsonb not null,
  unique (product_id, provider_source_type, as_of)
);

create table forward_point (
  curve_id int8 not null references forward_curve,
  tenor_months float8 not null,
  term_rate float8 not null check (term_rate >= 0),
  forward_rate float8 not null check (forward_rate >= 0),
  basis text not null check (basis in ('observed', 'interpolated', 'ratio', 'capped')),
  primary key (curve_id, tenor_months)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is not changed once it is stored', tg_table_name;
end
$$;
create trigger forward_curve_stands before update or delete on forward_curve
  for each row execute function refuse_change();
create trigger forward_point_stands before update or delete on forward_point
  for each row execute function refuse_change();

alter table archive_file drop constraint archive_file_kind;
alter table archive_file add constraint archive_file_kind check (
  case when type in ('rental', 'retail') then tier is not null and tier in (2, 3) and interval in ('day', 'month', 'quarter', 'year')
    when type in ('book', 'pulse') then tier is null and interval in ('day', 'month')
    when type = 'forward' then tier is null and interval = 'day'
    else false end
);

-- Models that predict prices, as bytes that the same data always give.
create table prediction_model (
  model_version text primary key,
  id int8 not null unique,
  trained_at timestamptz not null,
  -- the day that the model speaks of
  as_of date not null,
  -- refused: its back-test was not passed; retired: another one has taken its place
  state text not null check (state in ('serving', 'refused', 'retired')),
  why text,
  document bytea not null,
  backtest jsonb not null
);
create unique index prediction_model_serving on prediction_model (state) where state = 'serving';

-- Which days have been trained on: one of several coordinators does it.
create table prediction_training (
  day date primary key,
  begun_at timestamptz not null,
  ended_at timestamptz
);

insert into data_version (area, version) values ('prediction', 1);

update tier_terms set products = products || '{gpu-forward,price-iq}'::text[]
  where tier in ('plus', 'professional', 'enterprise') and not products && '{gpu-forward,price-iq}'::text[];
