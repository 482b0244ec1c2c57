-- What is to be said of a node's results and of a job, the same on every surface. Null: not judged yet. Tasks that ended before
-- this version are judged in the background; such jobs are judged by their tasks when they are read. The ids of a node's devices
-- tell which one a sentence is about.
alter table task add column judgement jsonb, add column device_ids text[] not null default '{}';
-- The list of jobs is ordered by the grade: a judgement of 256 nodes is too large to be read for that.
alter table job add column judgement jsonb,
  add column grade text generated always as (judgement #>> '{verdict,grade}') stored;
create index task_unjudged on task (id) where judgement is null and ended_at is not null;

-- A share of a data sheet's peak alone makes no job nominal: only peers and what healthy cards reach do.
update job set performance_status = 'unknown'
where performance_status in ('nominal', 'outperforming')
  and not performance @? '$.metrics[*] ? (@.basis == "peers" || @.basis == "reference")';
