-- Where people have signed in from, what running processes must forget, and stored files that are to go.

-- Networks an account signed in from: guesses of strangers do not slow it down there. Of a user the newest sixteen are kept.
create table login_place (
  user_id int8 not null references user_account (id),
  network text not null check (char_length(network) between 3 and 60),
  last_at timestamptz not null,
  primary key (user_id, network)
);

create index login_place_age on login_place (last_at);

-- One row. Counts what was taken from people by command; processes that serve look at it several times a second.
create table revocation (
  only_row boolean primary key default true check (only_row),
  count int8 not null
);

insert into revocation (count) values (0);

-- Files that may have to go. A row is written before the file is, and again when the last thing that named it is deleted;
-- the sweep takes the file away unless an artifact names it by then, so a crash in between leaves no file for ever.
create table artifact_removal (
  storage_key text primary key,
  -- from here on the file is not served either
  due_at timestamptz not null,
  tries int not null default 0
);

create index artifact_removal_due on artifact_removal (tries, due_at);

-- What an artifact belongs to: with its job it goes.
alter table artifact add column job_id int8 references job (id);

update artifact set job_id = job.id from job
where artifact.kind = 'job_report'
  and (artifact.file_name = 'gpumark-job-' || job.id || '.pdf' or job.report_artifact_id = artifact.id);

update artifact set job_id = task.job_id from task
where artifact.kind = 'task_report'
  and (artifact.file_name = 'gpumark-task-' || task.id || '.pdf' or task.report_artifact_id = artifact.id);

-- Of jobs that were deleted before.
insert into artifact_removal (storage_key, due_at)
select distinct artifact.storage_key, now() from artifact left join job on job.id = artifact.job_id
where job.id is null or job.deleted_at is not null;

update job set report_artifact_id = null where deleted_at is not null;
update task set report_artifact_id = null where deleted_at is not null;
delete from artifact where job_id is null or job_id in (select id from job where deleted_at is not null);

alter table artifact alter column job_id set not null;
create index artifact_job on artifact (job_id);
create index artifact_key on artifact (storage_key);
-- An artifact that goes is looked for where it may be named.
create index job_report_artifact on job (report_artifact_id) where report_artifact_id is not null;
create index task_report_artifact on task (report_artifact_id) where report_artifact_id is not null;
