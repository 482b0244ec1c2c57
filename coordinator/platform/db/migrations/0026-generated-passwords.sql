-- Passwords that the service made for somebody sign in for some days only. Additions only; a release that does not know the
-- column takes them for longer.

-- null: chosen by a person, good until another is set
alter table user_account add column password_ends_at timestamptz;
