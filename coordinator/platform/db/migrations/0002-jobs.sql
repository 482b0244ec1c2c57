-- Jobs, the machines that run them, and what they measured. The states are those of jobs/job-state.ts and
-- jobs/task-state.ts; a test compares the two.

create table artifact (
  id int8 primary key,
  customer_id int8 not null references customer (id),
  kind text not null check (kind in ('job_report', 'task_report')),
  storage_key text not null,
  file_name text not null,
  content_type text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes int8 not null check (size_bytes > 0),
  created_at timestamptz not null
);

create table job (
  id int8 primary key,
  customer_id int8 not null references customer (id),
  created_by int8 references user_account (id),
  name text not null check (char_length(name) between 1 and 60),
  description text not null default '' check (char_length(description) <= 512),
  state text not null
    constraint job_state check (state in ('created', 'starting', 'running', 'completed', 'completed_with_warnings', 'failed', 'aborted')),
  node_count int not null check (node_count between 1 and 256),
  current_nodes int not null default 0 check (current_nodes between 0 and node_count),
  benchmark_sequence jsonb not null check (jsonb_typeof(benchmark_sequence) = 'array'),
  benchmarks text[] not null check (cardinality(benchmarks) between 1 and 21),
  tags text[] not null default '{}' check (cardinality(tags) <= 10),
  -- the job token is a signed statement of these two and the times; it is derived when shown, never stored
  token_id text not null,
  token_kid text not null references signing_key (kid),
  token_revoked_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  expires_at timestamptz not null check (expires_at > created_at),
  ended_at timestamptz,
  -- the registration window closes here; from then on the job runs with the nodes it has
  registration_closes_at timestamptz,
  archived_at timestamptz,
  deleted_at timestamptz,
  warnings text[] not null default '{}',
  simulated boolean not null default false,
  gpu_models text[] not null default '{}',
  quick_mark_aggregate jsonb,
  -- the verdict of the moment the job ended; what is ranked is the measured figures, which do not age
  performance_status text
    constraint job_performance check (performance_status in ('underperforming', 'nominal', 'outperforming', 'unknown')),
  performance jsonb,
  performance_nodes jsonb,
  scoreboard_model text,
  -- jobs rank among those of the same model with the same key metrics measured
  scoreboard_group text,
  -- geometric mean of those metrics
  scoreboard_index float8 check (scoreboard_index > 0),
  report_artifact_id int8 references artifact (id),
  constraint job_started check ((state = 'created') <= (started_at is null)),
  constraint job_ended check ((state in ('completed', 'completed_with_warnings', 'failed', 'aborted')) = (ended_at is not null)),
  constraint job_deleted_only_at_rest check (deleted_at is null or state not in ('starting', 'running')),
  constraint job_ranked check ((scoreboard_group is null) = (scoreboard_index is null))
);

create unique index job_name on job (customer_id, name) where deleted_at is null;
create index job_by_time on job (customer_id, created_at desc, id desc) where deleted_at is null;
create index job_all_by_time on job (created_at desc, id desc) where deleted_at is null;
create index job_tags on job using gin (tags) where deleted_at is null;
create index job_open on job (expires_at) where state in ('created', 'starting', 'running') and deleted_at is null;
create index job_unarchived on job (ended_at) where ended_at is not null and archived_at is null;
create index job_rank on job (scoreboard_group, scoreboard_index) where scoreboard_group is not null and deleted_at is null;

create table task (
  id int8 primary key,
  job_id int8 not null references job (id),
  customer_id int8 not null references customer (id),
  machine_uuid text not null check (char_length(machine_uuid) between 1 and 60),
  machine_ip text,
  hostname text,
  session_id uuid not null,
  agent_version text not null,
  launcher jsonb not null default '{}',
  state text not null
    constraint task_state check (state in ('registered', 'running', 'uploading', 'completed', 'failed', 'aborted', 'lost')),
  epoch int not null default 1 check (epoch >= 1),
  failed_message text,
  warnings text[] not null default '{}',
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- when the sweep gave the node up
  lost_at timestamptz,
  deleted_at timestamptz,
  config_id text,
  inventory jsonb,
  gpu_vendor text check (gpu_vendor in ('nvidia', 'amd', 'cpu')),
  gpu_model text,
  gpu_count int,
  simulated boolean not null default false,
  report_artifact_id int8 references artifact (id),
  constraint task_machine unique (job_id, machine_uuid),
  constraint task_ended check ((state in ('completed', 'failed', 'aborted')) = (ended_at is not null)),
  constraint task_lost check ((state = 'lost') = (lost_at is not null))
);

create index task_by_time on task (customer_id, created_at desc, id desc) where deleted_at is null;
create index task_live on task (state) where state in ('registered', 'running', 'uploading');
create index task_job on task (job_id, id);

-- One narrow row per task for the beats: nothing but the key is indexed and the page keeps room, so that nearly every
-- update is heap-only.
create table task_lease (
  task_id int8 primary key references task (id),
  epoch int not null,
  phase text not null check (phase in ('waiting', 'inventory', 'measuring', 'uploading')),
  progress real check (progress between 0 and 1),
  beat_at timestamptz not null,
  expires_at timestamptz not null
) with (fillfactor = 70);

create table benchmark_result (
  id int8 primary key,
  job_id int8 not null references job (id),
  -- null: the job's own (cluster-level) result
  task_id int8 references task (id),
  benchmark_id text not null check (char_length(benchmark_id) between 1 and 60),
  attempt int not null check (attempt >= 1),
  result_key text not null constraint benchmark_result_key unique check (result_key ~ '^[0-9a-f]{64}$'),
  state text not null
    constraint benchmark_result_state check (state in ('pending', 'running', 'completed', 'failed', 'skipped')),
  started_at timestamptz,
  ended_at timestamptz,
  config jsonb,
  results jsonb,
  error_message text,
  epoch int not null,
  late boolean not null default false,
  received_at timestamptz not null
);

create index benchmark_result_of_job on benchmark_result (job_id) where task_id is null;
create index benchmark_result_task on benchmark_result (task_id, benchmark_id, attempt desc, id desc);

-- What other machines of the same model are compared with: one row per completed, not simulated task, each figure the
-- mean over its devices. Null where a device lacks it.
create table scoreboard_entry (
  task_id int8 primary key references task (id),
  job_id int8 not null references job (id),
  machine_uuid text not null,
  gpu_vendor text not null,
  gpu_model text not null,
  device_count int not null check (device_count >= 1),
  bf16_tflops float8 check (bf16_tflops > 0),
  memory_bandwidth_gbs float8 check (memory_bandwidth_gbs > 0),
  host_to_device_bandwidth_gbs float8 check (host_to_device_bandwidth_gbs > 0),
  device_to_host_bandwidth_gbs float8 check (device_to_host_bandwidth_gbs > 0),
  measured_at timestamptz not null
);

create index scoreboard_entry_peers on scoreboard_entry (gpu_vendor, gpu_model, measured_at desc);
create index scoreboard_entry_job on scoreboard_entry (job_id);

create table test_task (
  id int8 primary key,
  customer_id int8 not null references customer (id),
  machine_uuid text not null check (char_length(machine_uuid) between 1 and 60),
  machine_inventory jsonb not null default '[]',
  description text,
  state text not null
    constraint test_task_state check (state in ('registered', 'running', 'completed', 'failed', 'aborted')),
  failed_message text,
  extra jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);

create index test_task_by_time on test_task (customer_id, created_at desc, id desc) where deleted_at is null;
