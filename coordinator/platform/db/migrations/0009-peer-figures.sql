-- What others are measured by is one vote per customer, from figures that the coordinator has judged itself.
-- Figures entered before were judged by their senders only: without a model_key they have no vote until they are judged.
alter table scoreboard_entry
  add column customer_id int8 references customer (id),
  -- what all spellings of a model have in common, with its maker
  add column model_key text;

update scoreboard_entry set customer_id = task.customer_id from task where task.id = scoreboard_entry.task_id;

alter table scoreboard_entry alter column customer_id set not null;

-- both are read customer by customer, a few newest rows of each, so that none crowds out the others
drop index scoreboard_entry_peers;
create index scoreboard_entry_votes on scoreboard_entry (model_key, customer_id, measured_at desc)
  where model_key is not null;

drop index job_rank;
create index job_rank on job (scoreboard_group, customer_id, id desc) include (scoreboard_index)
  where scoreboard_group is not null and deleted_at is null;
