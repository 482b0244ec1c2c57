-- Customers, their people, and the keys and throttles behind signing in.

create table customer (
  id int8 primary key,
  name text not null check (char_length(name) between 1 and 120),
  tier text not null check (tier in ('basic', 'plus', 'professional', 'enterprise')),
  subscription_ends_at timestamptz,
  created_at timestamptz not null
);

create unique index customer_name on customer (lower(name));

create table user_account (
  id int8 primary key,
  customer_id int8 not null references customer (id),
  email text not null check (char_length(email) between 3 and 254),
  first_name text not null default '',
  last_name text not null default '',
  role text not null check (role in ('user', 'customer_admin', 'staff', 'root_admin')),
  password_hash text not null check (password_hash like '$argon2id$%'),
  -- raised to end every session of the user at once
  session_epoch int not null default 1,
  created_at timestamptz not null,
  disabled_at timestamptz
);

create unique index user_account_email on user_account (lower(email));
create index user_account_customer on user_account (customer_id);

-- HS256 secrets by kid; the newest unretired one signs, every unexpired one verifies.
create table signing_key (
  kid text primary key check (char_length(kid) between 8 and 64),
  purpose text not null check (purpose in ('login', 'job')),
  secret bytea not null check (octet_length(secret) >= 32),
  created_at timestamptz not null,
  -- no longer signs from here on
  retired_at timestamptz,
  -- no longer verifies from here on
  expires_at timestamptz,
  check (expires_at is null or retired_at is not null)
);

create unique index signing_key_current on signing_key (purpose) where retired_at is null;

-- Failed sign-ins per account and per network; a row is a window.
create table login_throttle (
  subject text primary key check (char_length(subject) between 3 and 300),
  failures int not null check (failures >= 0),
  window_started_at timestamptz not null,
  blocked_until timestamptz
);
