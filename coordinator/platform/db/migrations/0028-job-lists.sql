-- nontransactional
-- Lists of a customer with 100,000 jobs and 2,200 machines: each reads one index and no row. A row of a job has 2 KB, so rows that
-- are spread over the table cost a read of the disk each: 2,000 with two tags 140 ms, before anything was counted.
-- Statement by statement, and concurrently: jobs and tasks are written meanwhile, and no lock waits for another.

-- Names and tags are in indexes of their own, so that the plain list stays narrow. With the name, tags (10 of 50 characters take 2,100
-- of the 2,704 bytes that an entry may have) would leave too little room for all benchmarks that a job may have one day.
drop index concurrently if exists job_recent;
create index concurrently job_recent on job (customer_id, created_at desc, id desc)
  include (state, node_count, performance_status, benchmarks)
  where deleted_at is null;

-- A search within names tells no case apart, and making each name lower took three quarters of its time: both are in the index.
-- The planner reads it alone only if it has the name too.
drop index concurrently if exists job_named;
create index concurrently job_named on job (customer_id, created_at desc, id desc, lower(name))
  include (state, node_count, performance_status, benchmarks, name)
  where deleted_at is null;

-- Instead of the index of tags, whose entries of all customers each search read. Staff, who search all of them, read this one whole.
drop index concurrently if exists job_tagged;
create index concurrently job_tagged on job (customer_id, created_at desc, id desc)
  include (tags, state, node_count, performance_status, benchmarks)
  where deleted_at is null;

-- The two other orders that the portal offers; that by name is the unique index of names.
drop index concurrently if exists job_by_state;
create index concurrently job_by_state on job (customer_id, state, id) where deleted_at is null;
drop index concurrently if exists job_by_nodes;
create index concurrently job_by_nodes on job (customer_id, node_count, id) where deleted_at is null;

-- The runs of a machine, with what the list of machines shows of the newest.
drop index concurrently if exists task_by_machine;
create index concurrently task_by_machine on task (customer_id, machine_uuid, id desc)
  include (created_at, hostname, gpu_model, gpu_count)
  where deleted_at is null;

drop index concurrently if exists job_listed;
drop index concurrently if exists job_tags;
drop index concurrently if exists task_of_machine;

-- Jobs are filtered by this sum and by names in small letters. Without figures of them the planner takes nearly no job for found,
-- and starts workers that read all of them.
drop statistics if exists job_node_sum;
create statistics job_node_sum on (node_count + 0) from job;
analyze job;
