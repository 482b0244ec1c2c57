-- Work outside requests (reports), and the answers kept for repeated requests.

create table work_item (
  id int8 primary key,
  kind text not null check (kind in ('job_report', 'task_report')),
  -- one open item per subject: asking twice is asking once
  subject_id int8 not null,
  state text not null constraint work_item_state check (state in ('queued', 'running', 'done', 'failed')),
  attempts int not null default 0,
  run_at timestamptz not null,
  locked_until timestamptz,
  error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint work_item_finished check ((state in ('done', 'failed')) = (finished_at is not null))
);

create unique index work_item_open on work_item (kind, subject_id) where state = 'queued';
create index work_item_due on work_item (run_at) where state in ('queued', 'running');

create table idempotency_key (
  customer_id int8 not null references customer (id),
  key text not null check (char_length(key) between 1 and 200),
  request_hash text not null check (request_hash ~ '^[0-9a-f]{64}$'),
  status int not null,
  body jsonb not null,
  created_at timestamptz not null,
  primary key (customer_id, key)
);
