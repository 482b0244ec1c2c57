-- breaking
-- What a tier gives, which tier a customer has when, and what one customer has otherwise.

create table tier_terms (
  tier text primary key check (tier in ('basic', 'plus', 'professional', 'enterprise')),
  products text[] not null,
  applications int not null check (applications between 0 and 10000),
  tokens_per_application int not null check (tokens_per_application between 0 and 10000),
  token_days int not null check (token_days between 1 and 3650),
  -- names; each has two keys at most
  api_keys int not null check (api_keys between 0 and 10000),
  requests_per_minute int not null check (requests_per_minute between 1 and 1000000),
  burst int not null check (burst between 1 and 1000000),
  history_days int not null check (history_days between 1 and 36500),
  -- levels of the archives: 2 platform, 3 instance
  archive_tiers int[] not null,
  updated_at timestamptz not null default now()
);

insert into tier_terms
  (tier, products, applications, tokens_per_application, token_days, api_keys, requests_per_minute, burst, history_days, archive_tiers)
values
  ('basic', '{}', 2, 2, 90, 0, 120, 60, 2920, '{2,3}'),
  ('plus', '{gpu-index}', 5, 5, 90, 5, 600, 300, 2920, '{2,3}'),
  ('professional', '{gpu-index,token-index}', 20, 10, 180, 20, 3000, 1000, 2920, '{2,3}'),
  ('enterprise', '{gpu-index,token-index,token-prices}', 100, 20, 365, 100, 12000, 4000, 2920, '{2,3}');

create table subscription (
  id int8 primary key,
  customer_id int8 not null references customer (id),
  tier text not null references tier_terms (tier),
  starts_at timestamptz not null,
  -- null: until ended
  ends_at timestamptz,
  created_at timestamptz not null,
  check (ends_at is null or ends_at >= starts_at)
);

create index subscription_customer on subscription (customer_id, starts_at);

-- The ids of customers are unique among themselves; one subscription of each takes its own.
insert into subscription (id, customer_id, tier, starts_at, ends_at, created_at)
select id, id, tier, created_at,
  case when subscription_ends_at is not null then greatest(subscription_ends_at, created_at) end, created_at
from customer;

alter table customer drop column tier;
alter table customer drop column subscription_ends_at;

-- Where null, the tier's.
create table customer_terms (
  customer_id int8 primary key references customer (id),
  products text[],
  applications int check (applications between 0 and 10000),
  tokens_per_application int check (tokens_per_application between 0 and 10000),
  token_days int check (token_days between 1 and 3650),
  api_keys int check (api_keys between 0 and 10000),
  requests_per_minute int check (requests_per_minute between 1 and 1000000),
  burst int check (burst between 1 and 1000000),
  history_days int check (history_days between 1 and 36500),
  archive_tiers int[],
  -- what of the token index may be asked for; null: all of it
  token_index_tokens text[],
  token_index_versions text[],
  token_index_from date,
  token_index_to date,
  updated_at timestamptz not null
);

-- Credentials of programs, and sessions of people. Of secrets there is only the SHA-256.

create table application (
  id int8 primary key,
  customer_id int8 not null references customer (id),
  name text not null check (char_length(name) between 1 and 60),
  description text check (char_length(description) between 1 and 512),
  client_id text not null unique,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index application_name on application (customer_id, lower(name));

create table application_token (
  id int8 primary key,
  application_id int8 not null references application (id) on delete cascade,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  token_prefix text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- to the minute, written later
  last_used_at timestamptz
);

create index application_token_application on application_token (application_id);

create table api_key_name (
  id int8 primary key,
  customer_id int8 not null references customer (id),
  name text not null check (char_length(name) between 1 and 60),
  description text not null check (char_length(description) between 1 and 512),
  created_at timestamptz not null
);

create unique index api_key_name_name on api_key_name (customer_id, lower(name));

create table api_key (
  id int8 primary key,
  name_id int8 not null references api_key_name (id),
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  key_prefix text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz
);

create index api_key_name_id on api_key (name_id);

-- One for each sign-in; its refresh tokens are told apart by their generation, of which only the newest is good.
create table login_session (
  id int8 primary key,
  user_id int8 not null references user_account (id),
  generation int not null default 1,
  created_at timestamptz not null,
  refreshed_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);

create index login_session_user on login_session (user_id);
create index login_session_expiry on login_session (expires_at);

-- A link that sets a password, sent by mail; good once.
create table password_link (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id int8 not null references user_account (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index password_link_user on password_link (user_id);

-- Tokens of rate limits that all processes share: what there was at that time, and by what it is refilled. A bucket without a
-- row is full, so what a crash of the database loses is one burst for each. Half of each page is left free, so that an update
-- stays within its page and needs no index of its own.
create unlogged table rate_bucket (
  key text primary key check (char_length(key) between 1 and 100),
  tokens float8 not null,
  -- by the last statement; below 0: given back
  granted float8 not null,
  burst float8 not null check (burst >= 1),
  per_second float8 not null check (per_second > 0),
  at timestamptz not null
) with (fillfactor = 50);
