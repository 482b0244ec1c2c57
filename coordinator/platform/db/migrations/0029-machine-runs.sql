-- Runs of each machine, counted as they come and go: to count 100,000 of them for each list of machines took 19 ms. Additions only.
-- Tasks are not written while those that exist are counted: about a second for a million of them.

-- Live runs. A machine whose runs were all deleted stays with 0.
create table machine_runs (
  customer_id int8 not null,
  machine_uuid text not null,
  runs int4 not null,
  completed int4 not null,
  simulated int4 not null,
  primary key (customer_id, machine_uuid)
);

-- What changed since, a row each, which is added to `machine_runs` within seconds. Two jobs that end at once on the same machines
-- would wait for each other, perhaps for ever, if they changed its row themselves.
create table machine_change (
  id int8 generated always as identity primary key,
  customer_id int8 not null,
  machine_uuid text not null,
  runs int2 not null,
  completed int2 not null,
  simulated int2 not null
);

create index machine_change_customer on machine_change (customer_id);

create function note_machine_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.deleted_at is null then
    insert into machine_change (customer_id, machine_uuid, runs, completed, simulated)
    values (old.customer_id, old.machine_uuid, -1, -(old.state = 'completed')::int, -old.simulated::int);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null then
    insert into machine_change (customer_id, machine_uuid, runs, completed, simulated)
    values (new.customer_id, new.machine_uuid, 1, (new.state = 'completed')::int, new.simulated::int);
  end if;
  return null;
end $$;

create trigger task_made_machine after insert or delete on task
  for each row execute function note_machine_change();
create trigger task_moved_machine after update on task
  for each row when ((old.deleted_at is null, old.state = 'completed', old.simulated, old.machine_uuid, old.customer_id)
    is distinct from (new.deleted_at is null, new.state = 'completed', new.simulated, new.machine_uuid, new.customer_id))
  execute function note_machine_change();

insert into machine_runs (customer_id, machine_uuid, runs, completed, simulated)
select customer_id, machine_uuid, count(*), count(*) filter (where state = 'completed'), count(*) filter (where simulated)
from task where deleted_at is null
group by customer_id, machine_uuid;
