-- The portal: cookies of signed-in browsers, what a live page follows, and links that show one page to a stranger.

-- A browser's cookie, of which only the SHA-256 is kept. It hangs on a session of the API, so that all that ends that one
-- (sign-out everywhere, a new password, a disabled user) ends this too.
create table portal_session (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  login_session_id int8 not null references login_session (id) on delete cascade,
  user_id int8 not null references user_account (id),
  created_at timestamptz not null,
  -- to the minute; twelve hours after it the session is over
  seen_at timestamptz not null,
  -- when the password was last given; what shows a secret asks that it was a short while ago
  password_at timestamptz not null,
  address text check (char_length(address) <= 60),
  browser text not null check (char_length(browser) <= 120)
);

create index portal_session_user on portal_session (user_id, seen_at);
create index portal_session_login on portal_session (login_session_id);
create index portal_session_age on portal_session (seen_at);

-- Who asked for an account and has not shown yet that the address is theirs; nothing else exists of them.
create table sign_up (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  email text not null check (char_length(email) <= 254),
  company text not null check (char_length(company) between 1 and 120),
  first_name text not null check (char_length(first_name) <= 60),
  last_name text not null check (char_length(last_name) <= 60),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index sign_up_age on sign_up (expires_at);
create index sign_up_email on sign_up (lower(email));

-- A link to one page for who has no account. Its token is an HMAC by `key` over what stands here, so a row that is changed
-- in any way makes its link void, and the link itself is stored nowhere.
create table portal_share (
  id int8 primary key,
  customer_id int8 not null references customer (id),
  -- null: a person who was erased
  created_by int8 references user_account (id) on delete set null,
  job_id int8 references job (id),
  path text not null check (path ~ '^/[a-z]' and char_length(path) <= 200),
  query text not null check (char_length(query) <= 1000),
  key bytea not null check (octet_length(key) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '90 days'),
  revoked_at timestamptz
);

create index portal_share_customer on portal_share (customer_id, created_at desc);
create index portal_share_job on portal_share (job_id) where job_id is not null;

-- What a live page follows: the number of the last change of each job, and what changed. The number is raised in the
-- transaction that makes the change, as its last act, so that numbers become visible in their order and no lock is waited for
-- by one who holds it.
create table job_event_head (
  job_id int8 primary key references job (id) on delete cascade,
  seq int8 not null check (seq > 0)
) with (fillfactor = 50);

create table job_event (
  job_id int8 not null references job (id) on delete cascade,
  seq int8 not null,
  kind text not null check (kind in ('job', 'node', 'figure', 'link', 'report')),
  subject int8,
  at timestamptz not null,
  primary key (job_id, seq)
);

create index job_event_age on job_event (at);

create function note_job_event() returns trigger language plpgsql as $$
declare
  of_job int8;
  of_what int8;
  next int8;
begin
  if tg_table_name = 'job' then of_job := new.id; of_what := new.id;
  elsif tg_table_name = 'task' then of_job := new.job_id; of_what := new.id;
  elsif tg_table_name = 'task_lease' then
    select job_id, id into of_job, of_what from task where id = new.task_id;
  else of_job := new.job_id; of_what := null;
  end if;
  -- A job that is erased in the same transaction has nobody who looks.
  if not exists (select from job where id = of_job) then return null; end if;
  insert into job_event_head as head (job_id, seq) values (of_job, 1)
  on conflict (job_id) do update set seq = head.seq + 1 returning seq into next;
  insert into job_event (job_id, seq, kind, subject, at) values (of_job, next, tg_argv[0], of_what, clock_timestamp());
  perform pg_notify('gpumark', 'job');
  return null;
end $$;

create constraint trigger job_made_event after insert on job deferrable initially deferred
  for each row execute function note_job_event('job');
create constraint trigger job_moved_event after update on job deferrable initially deferred
  for each row when (old.state is distinct from new.state or old.current_nodes is distinct from new.current_nodes
    or old.name is distinct from new.name or old.quick_mark_aggregate is distinct from new.quick_mark_aggregate)
  execute function note_job_event('job');
create constraint trigger job_report_event after update on job deferrable initially deferred
  for each row when (old.report_artifact_id is distinct from new.report_artifact_id)
  execute function note_job_event('report');
create constraint trigger task_made_event after insert on task deferrable initially deferred
  for each row execute function note_job_event('node');
create constraint trigger task_moved_event after update on task deferrable initially deferred
  for each row when (old.state is distinct from new.state or old.warnings is distinct from new.warnings
    or old.gpu_model is distinct from new.gpu_model or old.report_artifact_id is distinct from new.report_artifact_id)
  execute function note_job_event('node');
create constraint trigger lease_moved_event after update on task_lease deferrable initially deferred
  for each row when (old.phase is distinct from new.phase) execute function note_job_event('node');
create constraint trigger result_event after insert on benchmark_result deferrable initially deferred
  for each row execute function note_job_event('figure');
create constraint trigger network_event after update on network_run deferrable initially deferred
  for each row when (old.sequence is distinct from new.sequence or old.state is distinct from new.state)
  execute function note_job_event('link');
