-- What a result takes, so that no answer has to read results to know that they are too many: the bytes of its JSON as it
-- goes out. The whole of a large one is a file; then `results` is what is answered without it.
alter table benchmark_result
  add column size_bytes int4 not null generated always as (coalesce(octet_length(results::text), 0)) stored,
  add column raw_bytes int4 not null default 0 check (raw_bytes >= 0),
  add column raw_artifact_id int8 references artifact (id) on delete set null;
create index benchmark_result_sizes on benchmark_result (job_id, task_id) include (size_bytes, raw_bytes)
  where task_id is not null;
create index benchmark_result_raw on benchmark_result (raw_artifact_id) where raw_artifact_id is not null;

alter table artifact drop constraint artifact_kind_check;
alter table artifact add constraint artifact_kind_check
  check (kind in ('job_report', 'task_report', 'raw_result'));

-- The queue goes round among customers; `claimed_at` says whose turn was last.
alter table work_item add column customer_id int8, add column claimed_at timestamptz;
update work_item set customer_id = job.customer_id from job where kind = 'job_report' and job.id = subject_id;
update work_item set customer_id = task.customer_id from task where kind = 'task_report' and task.id = subject_id;
delete from work_item where customer_id is null;
alter table work_item alter column customer_id set not null;
drop index work_item_due;
create index work_item_due on work_item (customer_id, run_at, id) where state in ('queued', 'running');
create index work_item_turn on work_item (customer_id, claimed_at) where claimed_at is not null;
