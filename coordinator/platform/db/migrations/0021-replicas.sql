-- Several coordinators on one database: the secret that signs links to artifacts is one for all of them, and what one of
-- them changes is told to the others at once. Both are additions; a release that does not know them runs on.

create table artifact_secret (
  is_only boolean primary key default true check (is_only),
  secret bytea not null check (octet_length(secret) >= 32),
  created_at timestamptz not null
);

-- One channel, short words: whoever hears one looks at the table, so that a word lost costs a poll's wait and nothing else.
create function tell_replicas() returns trigger language plpgsql as $$
begin
  perform pg_notify('gpumark', tg_argv[0]);
  return null;
end $$;

create trigger data_version_told after update on data_version
  for each statement execute function tell_replicas('data');
create trigger revocation_told after insert or update on revocation
  for each statement execute function tell_replicas('revocation');
create trigger work_item_told after insert on work_item
  for each statement execute function tell_replicas('work');
create trigger network_run_told after update of sequence, state on network_run
  for each row when (old.sequence is distinct from new.sequence or old.state is distinct from new.state)
  execute function tell_replicas('run');

-- A customer that is erased takes its part of the audit trail with it; nothing else does before its time.
create or replace function audit_event_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (old.at < now() - interval '400 days' or current_setting('gpumark.erasing', true) = 'on') then
    return old;
  end if;
  raise exception 'audit events are not changed, and not deleted before they are 400 days old';
end
$$;
