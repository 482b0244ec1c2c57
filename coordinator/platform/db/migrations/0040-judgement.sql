-- What is to be said of a node's results and of a job, the same on every surface. Null: not judged yet, or ended before this
-- version; its warnings and states are then what is known. The ids of a node's devices tell which one a sentence is about.
alter table task add column judgement jsonb, add column device_ids text[] not null default '{}';
alter table job add column judgement jsonb;
