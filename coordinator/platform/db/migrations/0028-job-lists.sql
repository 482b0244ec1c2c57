-- Lists of a customer with 100,000 jobs, what was still slow of them. Indexes and statistics only; jobs can be read while they are made.

-- A search within names tells no case apart, and making each name lower took three quarters of its time: both stand in the index.
-- The planner reads it alone only if it has the name too.
create index job_listed_by_name on job (customer_id, created_at desc, id desc, lower(name))
  include (state, node_count, performance_status, benchmarks, name)
  where deleted_at is null;

-- The two other orders that the portal offers; that by name is the unique index of names.
create index job_by_state on job (customer_id, state, id) where deleted_at is null;
create index job_by_nodes on job (customer_id, node_count, id) where deleted_at is null;

-- Jobs are filtered by this sum and by names in small letters. Without figures of them the planner takes nearly no job for found,
-- and starts workers that read all of them.
create statistics job_node_sum on (node_count + 0) from job;
analyze job;

-- Last, for it shuts out readers.
drop index job_listed;
alter index job_listed_by_name rename to job_listed;
