-- cluster_network: one run per place in a job's sequence, its nodes, its links. Times of a run are the database's clock
-- (clock_timestamp()), which all replicas of the coordinator share.

create table network_run (
  job_id int8 not null references job (id),
  item int not null check (item between 0 and 20),
  state text not null
    constraint network_run_state check (state in ('joining', 'preflight', 'ring', 'rounds', 'retests', 'collective', 'ended')),
  config jsonb,
  -- of the schedule; decimal, kept so that a run can be drawn again
  seed text not null,
  -- link keys are derived from it; gone when the run has ended
  secret bytea check (octet_length(secret) = 32),
  -- number of the newest plan
  sequence int not null default 0 check (sequence >= 0),
  -- the newest plan: its kind, when it starts and ends, and what is left to drive after it
  plan jsonb,
  -- when the next plan is due; whoever comes then makes it under this row's lock
  due_at timestamptz not null,
  -- when a coordinator came back last; nobody is lost for not having reached it before
  returned_at timestamptz,
  joining_ends_at timestamptz not null,
  started_at timestamptz,
  -- when the time of the configuration is over
  deadline_at timestamptz,
  rounds_started_at timestamptz,
  rounds_ended_at timestamptz,
  next_round int not null default 0,
  graph jsonb,
  transport text check (transport in ('tcp', 'rdma_host', 'rdma_gpu')),
  transport_note text,
  -- the plan of a phase that is not made of slots, and what its reports brought
  collective jsonb,
  outcome text constraint network_run_outcome check (outcome in ('completed', 'failed', 'skipped')),
  message text,
  -- what the job's result says, without the measurements
  summary jsonb,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (job_id, item),
  constraint network_run_ended check ((state = 'ended') = (ended_at is not null) and (state = 'ended') = (outcome is not null)),
  constraint network_run_secret check ((state = 'ended') = (secret is null))
);

create table network_node (
  job_id int8 not null,
  item int not null,
  node int not null check (node between 0 and 255),
  task_id int8 not null references task (id),
  endpoints jsonb not null,
  capabilities jsonb not null,
  joined_at timestamptz not null,
  state text not null constraint network_node_state check (state in ('joined', 'lost')),
  lost_at timestamptz,
  -- what its dials of the preflight brought: [{node, status, address, connect_us, code}]
  preflight jsonb,
  -- how many they are, so that nobody has to read them to know that all are there
  dials int not null default 0,
  primary key (job_id, item, node),
  foreign key (job_id, item) references network_run (job_id, item),
  constraint network_node_task unique (job_id, item, task_id)
);

-- Beats apart from the rest: one narrow row per node, so that nearly every update is heap-only.
create table network_seen (
  job_id int8 not null,
  item int not null,
  node int not null,
  seen_at timestamptz not null,
  primary key (job_id, item, node),
  foreign key (job_id, item, node) references network_node (job_id, item, node)
) with (fillfactor = 70);

-- One attempt at one link. Written when planned; the two reports and what they say together come later.
create table network_link (
  job_id int8 not null,
  item int not null,
  link int not null,
  attempt int not null check (attempt >= 1),
  phase text not null constraint network_link_phase check (phase in ('preflight', 'ring', 'rounds', 'retests')),
  sequence int not null,
  round int,
  source int not null,
  target int not null check (target <> source),
  -- which end listens, where; null for a link that was never driven
  dialer int,
  address text,
  port int,
  dialer_address text,
  transport text not null check (transport in ('tcp', 'rdma_host', 'rdma_gpu')),
  streams int,
  concurrent_links int,
  starts_at timestamptz,
  slot_ms float8,
  -- null until both ends or the deadline have spoken
  status text constraint network_link_status check (status in ('ok', 'unreachable', 'refused', 'auth_failed', 'timeout',
    'closed', 'transport_error', 'node_lost', 'no_report')),
  source_report jsonb,
  target_report jsonb,
  -- grows with every report, for those who ask what is new
  version int8 not null default 0,
  verdict text,
  expected_forward_gbps float8,
  expected_reverse_gbps float8,
  primary key (job_id, item, link, attempt),
  foreign key (job_id, item) references network_run (job_id, item)
);

create index network_link_plan on network_link (job_id, item, sequence);
create index network_link_version on network_link (job_id, item, version);
