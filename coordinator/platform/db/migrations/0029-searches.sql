-- Searches among 100,000 jobs of a customer, and the list of their machines: each reads one index and no row. A row has 2 KB, so
-- rows that are spread over the table cost a read of the disk each: 2,000 with two tags 140 ms, before anything was counted.
-- Of what a search names, names and tags have their own index, so that the plain list stays narrow. Ten tags of 50 characters take
-- some 2,100 of the 2,704 bytes that an entry may have; with the name and 20 benchmarks they would not fit.

create index job_listed_narrow on job (customer_id, created_at desc, id desc)
  include (state, node_count, performance_status, benchmarks)
  where deleted_at is null;
create index job_tagged on job (customer_id, created_at desc, id desc)
  include (tags, state, node_count, performance_status, benchmarks)
  where deleted_at is null;

-- What the newest run of a machine says of it, beside the counts.
create index task_of_machine_shown on task (customer_id, machine_uuid, id desc)
  include (created_at, state, simulated, hostname, gpu_model, gpu_count)
  where deleted_at is null;

-- Last, for they shut out readers. The one of tags held the jobs of all customers, and so did each search in it.
drop index job_tags;
drop index task_of_machine;
alter index job_listed rename to job_named;
alter index job_listed_narrow rename to job_listed;
alter index task_of_machine_shown rename to task_of_machine;
