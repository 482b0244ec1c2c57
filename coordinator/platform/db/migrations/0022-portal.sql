-- The portal: cookies of signed-in browsers, what a live page follows, and links that show one page to a stranger.

-- A browser's cookie, of which only the SHA-256 is kept. It hangs on a session of the API, so that all that ends that one
-- (sign-out everywhere, a new password, a disabled user) ends this too.
create table portal_session (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  login_session_id int8 not null references login_session (id) on delete cascade,
  user_id int8 not null references user_account (id),
  created_at timestamptz not null,
  -- to the minute; twelve hours after it the session is over
  seen_at timestamptz not null,
  -- when the password was last given; what shows a secret asks that it was a short while ago
  password_at timestamptz not null,
  address text check (char_length(address) <= 60),
  browser text not null check (char_length(browser) <= 120)
);

create index portal_session_user on portal_session (user_id, seen_at);
create index portal_session_login on portal_session (login_session_id);
create index portal_session_age on portal_session (seen_at);

-- Who asked for an account and has not shown yet that the address is theirs; nothing else exists of them.
create table sign_up (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  email text not null check (char_length(email) <= 254),
  company text not null check (char_length(company) between 1 and 120),
  first_name text not null check (char_length(first_name) <= 60),
  last_name text not null check (char_length(last_name) <= 60),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index sign_up_age on sign_up (expires_at);
create index sign_up_email on sign_up (lower(email));

-- A link to one page for who has no account. Its token is an HMAC by `key` over what stands here, so a row that is changed
-- in any way makes its link void, and the link itself is stored nowhere.
create table portal_share (
  id int8 primary key,
  customer_id int8 not null references customer (id),
  -- null: a person who was erased
  created_by int8 references user_account (id) on delete set null,
  job_id int8 references job (id),
  path text not null check (path ~ '^/[a-z]' and char_length(path) <= 200),
  query text not null check (char_length(query) <= 1000),
  key bytea not null check (octet_length(key) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '90 days'),
  revoked_at timestamptz
);

create index portal_share_customer on portal_share (customer_id, created_at desc);
create index portal_share_job on portal_share (job_id) where job_id is not null;
