-- What happened to accounts, credentials and rights: written with what did it, never changed, kept 400 days.

create table audit_event (
  id int8 primary key,
  at timestamptz not null,
  action text not null check (char_length(action) between 1 and 60),
  -- whose event it is; null: of nobody known, as a failed sign-in with an unknown address
  customer_id int8,
  actor_kind text not null,
  -- user, application token or API key that did it
  actor_id int8,
  -- who or what it was done to, in words: an address, a name, a tier
  subject text not null check (char_length(subject) <= 300),
  detail jsonb not null default '{}',
  address inet,
  request_id text not null
);

create index audit_event_customer on audit_event (customer_id, id desc);
create index audit_event_age on audit_event (at);

-- Not by a slip and not by a bug; who owns the database can of course drop the trigger.
create function audit_event_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '400 days' then
    return old;
  end if;
  raise exception 'audit events are not changed, and not deleted before they are 400 days old';
end
$$;

create trigger audit_event_is_kept before update or delete on audit_event
  for each row execute function audit_event_is_kept();

create trigger audit_event_is_not_emptied before truncate on audit_event
  for each statement execute function audit_event_is_kept();
