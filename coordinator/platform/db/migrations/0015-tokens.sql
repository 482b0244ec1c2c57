-- breaking
-- Token prices: what sources say about language models, and the figures that are derived from it. Their readings stand in
-- ingest_run beside those of the market.

alter table unmatched_label drop constraint unmatched_label_kind_check;
alter table unmatched_label add constraint unmatched_label_kind_check check (kind in ('product', 'provider', 'model'));

-- What a seller asks for a model, as one source has it on the day that it was read. Never changed; a later reading of the same
-- day and part takes its place as a whole.
create table token_price_observation (
  run_id int8 not null references ingest_run,
  source text not null,
  day date not null,
  row_number int4 not null,
  -- as the source writes it
  label text not null,
  -- developer/name
  model text not null,
  -- standard, free, batch, thinking, fast, regional and others; only standard is what the model costs
  variant text not null,
  -- by which counts of usage find their price; OpenRouter only
  permaslug text,
  seller text not null,
  seller_type text not null check (seller_type in ('model-lab', 'model-platform', 'marketplace')),
  -- days on which the source says it holds; null: since it was read, until it is read again. The end is exclusive.
  valid_from date,
  valid_to date check (valid_to > valid_from),
  -- USD per million tokens; null: not said
  price_input numeric check (price_input >= 0),
  price_output numeric check (price_output >= 0),
  price_cached_input numeric check (price_cached_input >= 0),
  -- the source's own numbers and names
  raw jsonb not null,
  check (price_input is not null or price_output is not null)
);
create index token_price_observation_day on token_price_observation (day, source);
create index token_price_observation_model on token_price_observation (model, seller, day);

-- What sources say about a model itself.
create table token_model_observation (
  run_id int8 not null references ingest_run,
  source text not null,
  day date not null,
  label text not null,
  model text not null,
  name text,
  context_length int8 check (context_length > 0),
  hugging_face_id text,
  -- weights can be had; null: not said
  open_weights boolean,
  -- billions, and the words that say so
  total_param numeric check (total_param > 0),
  active_param numeric check (active_param > 0),
  param_evidence text,
  -- an operator's own word goes before what is parsed
  model_type text check (model_type in ('open-source', 'open-weight', 'closed-source')),
  is_deprecated boolean not null,
  expires_on date
);
create index token_model_observation_model on token_model_observation (model, day);
create index token_model_observation_day on token_model_observation (day, source);

-- Tokens of a UTC day by item. Of a source that has no split, input and output are null.
create table token_usage_observation (
  run_id int8 not null references ingest_run,
  source text not null,
  day date not null,
  permaslug text not null,
  variant text not null,
  -- null: nothing that we know a model of, as `other`
  model text,
  tokens_total int8 not null check (tokens_total >= 0),
  tokens_input int8 check (tokens_input >= 0),
  tokens_output int8 check (tokens_output >= 0),
  primary key (source, day, permaslug, variant),
  check ((tokens_input is null) = (tokens_output is null)),
  check (tokens_input is null or tokens_input + tokens_output = tokens_total)
);

-- Derived: what was known of a model on a day.
create table token_model_day (
  day date not null,
  model text not null,
  developer text not null,
  model_name text not null,
  model_type text not null check (model_type in ('open-source', 'open-weight', 'closed-source')),
  model_status text not null check (model_status in ('active', 'deprecated')),
  total_param numeric,
  active_param numeric,
  context_length int8,
  primary key (day, model)
);

-- Derived: the price of a model at a seller on a day. A price that nobody has confirmed for seven days has no row.
create table token_book (
  day date not null,
  model text not null,
  source_id text not null,
  source_type text not null check (source_type in ('model-lab', 'model-platform', 'marketplace')),
  -- USD per million tokens
  price_input numeric not null,
  price_output numeric not null,
  price_cached_input numeric,
  -- the reading that says so
  source text not null,
  observed_on date not null,
  run_id int8 not null,
  primary key (day, model, source_id),
  foreign key (day, model) references token_model_day on delete cascade
);

-- Derived: volume and prices of a model on a day.
create table token_pulse (
  day date not null,
  model text not null,
  -- 100: as many tokens as the whole market on a mean day of the base week
  volume_input_index numeric,
  volume_output_index numeric,
  -- over the sellers that run the model themselves
  avg_price_input numeric,
  avg_price_output numeric,
  med_price_input numeric,
  med_price_output numeric,
  sellers int4 not null,
  -- the split of input and output was estimated
  is_estimated boolean not null,
  primary key (day, model),
  foreign key (day, model) references token_model_day on delete cascade
);

create table token_index_day (
  token text not null,
  version text not null,
  day date not null,
  -- null: '-1'
  value numeric,
  coverage numeric,
  models int4 not null,
  tokens numeric not null,
  -- frozen: published longer than seven days after its day; it changes no more
  status text not null check (status in ('missing', 'provisional', 'frozen')),
  -- why there is no value
  reason text,
  computed_at timestamptz not null,
  primary key (token, version, day),
  check ((value is null) = (status = 'missing'))
);

create table token_index_restatement (
  token text not null,
  version text not null,
  day date not null,
  restated_at timestamptz not null,
  from_value numeric,
  to_value numeric,
  reason text not null,
  primary key (token, version, day, restated_at)
);

insert into data_version (area, version) values ('tokens', 1);
-- One way for all areas.
insert into data_version (area, version) select 'market', version from market_version;
drop table market_version;
