-- A second factor of sign-in: codes of an authenticator app (RFC 6238), and recovery codes for who has lost it. Additions
-- only; a release that does not know them runs on and asks for no code.

-- The secret is what codes are computed from, so it is kept as it is, like the keys that sign tokens (signing_key).
create table second_factor (
  user_id int8 primary key references user_account (id) on delete cascade,
  secret bytea not null check (octet_length(secret) = 20),
  created_at timestamptz not null,
  -- null: shown to its owner, and no code has proven yet that the app has it
  enrolled_at timestamptz,
  -- the step of 30 s of the last code that was taken; neither it nor an older one is taken again
  last_step int4 not null default 0
);

create table recovery_code (
  user_id int8 not null references second_factor (user_id) on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Set by an administrator of the company: people without a second factor set one up before anything else.
alter table customer add column requires_second_factor boolean not null default false;
