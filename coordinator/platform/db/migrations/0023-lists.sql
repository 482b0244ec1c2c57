-- Lists of a customer with 100,000 jobs: what is filtered, counted and sorted by stands in the index, so that no row is read that
-- is not shown.
create index job_listed on job (customer_id, created_at desc, id desc)
  include (state, node_count, performance_status, benchmarks, name)
  where deleted_at is null;
drop index job_by_time;

-- The runs of one machine, and how many each machine has.
create index task_of_machine on task (customer_id, machine_uuid, id desc) include (created_at, state, simulated)
  where deleted_at is null;
