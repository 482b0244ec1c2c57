-- Who speaks for a task: the nodes of a job share its token, so each has a secret of its own. Null: registered before there were
-- secrets; its session gets one when it registers again.
alter table task add column secret_hash text
  constraint task_secret_hash check (secret_hash ~ '^[0-9a-f]{64}$');

-- The place in the job's sequence that was measured, null in rows from before; and whether another result of it stood already
-- when this one came, after the end of its task. Such a row is shown and counts nowhere.
alter table benchmark_result
  add column item int constraint benchmark_result_item check (item between 0 and 19),
  add column kept_aside boolean not null default false;
