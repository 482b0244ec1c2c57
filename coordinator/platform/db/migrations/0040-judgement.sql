-- What is to be said of a node's results and of a job, the same on every surface. Null: not judged yet. Tasks that ended before
-- this version are judged in the background; such jobs are judged by their tasks when they are read. The ids of a node's devices tell which one a sentence is about.
alter table task add column judgement jsonb, add column device_ids text[] not null default '{}';
alter table job add column judgement jsonb;
create index task_unjudged on task (id) where judgement is null and ended_at is not null;
