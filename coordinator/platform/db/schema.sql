-- Written by the schema test (UPDATE_GOLDEN=1); the migrations are what makes it.

create table api_key (
  id bigint not null,
  name_id bigint not null,
  key_hash bytea not null,
  key_prefix text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_key_hash_key UNIQUE (key_hash),
  constraint api_key_key_hash_check CHECK ((octet_length(key_hash) = 32)),
  constraint api_key_name_id_fkey FOREIGN KEY (name_id) REFERENCES api_key_name(id)
);
CREATE INDEX api_key_name_id ON public.api_key USING btree (name_id);

create table api_key_name (
  id bigint not null,
  customer_id bigint not null,
  name text not null,
  description text not null,
  created_at timestamp with time zone not null,
  constraint api_key_name_pkey PRIMARY KEY (id),
  constraint api_key_name_description_check CHECK (((char_length(description) >= 1) AND (char_length(description) <= 512))),
  constraint api_key_name_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60))),
  constraint api_key_name_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id)
);
CREATE UNIQUE INDEX api_key_name_name ON public.api_key_name USING btree (customer_id, lower(name));

create table application (
  id bigint not null,
  customer_id bigint not null,
  name text not null,
  description text,
  client_id text not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  owner_id bigint,
  constraint application_pkey PRIMARY KEY (id),
  constraint application_client_id_key UNIQUE (client_id),
  constraint application_description_check CHECK (((char_length(description) >= 1) AND (char_length(description) <= 512))),
  constraint application_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60))),
  constraint application_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
  constraint application_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint application_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES user_account(id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX application_name ON public.application USING btree (customer_id, lower(name));
CREATE INDEX application_owner ON public.application USING btree (owner_id);

create table application_token (
  id bigint not null,
  application_id bigint not null,
  token_hash bytea not null,
  token_prefix text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint application_token_pkey PRIMARY KEY (id),
  constraint application_token_token_hash_key UNIQUE (token_hash),
  constraint application_token_token_hash_check CHECK ((octet_length(token_hash) = 32)),
  constraint application_token_application_id_fkey FOREIGN KEY (application_id) REFERENCES application(id) ON DELETE CASCADE
);
CREATE INDEX application_token_application ON public.application_token USING btree (application_id);

create table archive_file (
  id bigint not null,
  sequence_id bigint generated always as identity not null,
  tier smallint,
  interval text not null,
  type text not null,
  period text not null,
  first_day date not null,
  last_day date not null,
  schema_version text not null,
  artifact_key text not null,
  row_count bigint not null,
  size_bytes bigint not null,
  built_at timestamp with time zone not null,
  fingerprint bytea not null,
  name text,
  constraint archive_file_pkey PRIMARY KEY (id),
  constraint archive_file_part UNIQUE NULLS NOT DISTINCT (tier, "interval", type, period),
  constraint archive_file_kind CHECK (
CASE
    WHEN (type = ANY (ARRAY['rental'::text, 'retail'::text])) THEN ((tier IS NOT NULL) AND (tier = ANY (ARRAY[2, 3])) AND ("interval" = ANY (ARRAY['day'::text, 'month'::text, 'quarter'::text, 'year'::text])))
    WHEN (type = ANY (ARRAY['book'::text, 'pulse'::text])) THEN ((tier IS NULL) AND ("interval" = ANY (ARRAY['day'::text, 'month'::text])))
    WHEN (type = 'forward'::text) THEN ((tier IS NULL) AND ("interval" = 'day'::text))
    ELSE false
END),
  constraint archive_file_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60)))
);
CREATE UNIQUE INDEX archive_file_name ON public.archive_file USING btree (name) WHERE (name IS NOT NULL);
CREATE INDEX archive_file_period ON public.archive_file USING btree (first_day);

create table artifact (
  id bigint not null,
  customer_id bigint not null,
  kind text not null,
  storage_key text not null,
  file_name text not null,
  content_type text not null,
  sha256 text not null,
  size_bytes bigint not null,
  created_at timestamp with time zone not null,
  job_id bigint not null,
  constraint artifact_pkey PRIMARY KEY (id),
  constraint artifact_kind_check CHECK ((kind = ANY (ARRAY['job_report'::text, 'task_report'::text, 'raw_result'::text]))),
  constraint artifact_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint artifact_size_bytes_check CHECK ((size_bytes > 0)),
  constraint artifact_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint artifact_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id)
);
CREATE INDEX artifact_job ON public.artifact USING btree (job_id);
CREATE INDEX artifact_key ON public.artifact USING btree (storage_key);

create table artifact_removal (
  storage_key text not null,
  due_at timestamp with time zone not null,
  tries integer default 0 not null,
  constraint artifact_removal_pkey PRIMARY KEY (storage_key)
);
CREATE INDEX artifact_removal_due ON public.artifact_removal USING btree (tries, due_at);

create table artifact_secret (
  is_only boolean default true not null,
  secret bytea not null,
  created_at timestamp with time zone not null,
  constraint artifact_secret_pkey PRIMARY KEY (is_only),
  constraint artifact_secret_is_only_check CHECK (is_only),
  constraint artifact_secret_secret_check CHECK ((octet_length(secret) >= 32))
);

create table audit_event (
  id bigint not null,
  at timestamp with time zone not null,
  action text not null,
  customer_id bigint,
  actor_kind text not null,
  actor_id bigint,
  subject text not null,
  detail jsonb default '{}'::jsonb not null,
  address inet,
  request_id text not null,
  constraint audit_event_pkey PRIMARY KEY (id),
  constraint audit_event_action_check CHECK (((char_length(action) >= 1) AND (char_length(action) <= 60))),
  constraint audit_event_subject_check CHECK ((char_length(subject) <= 300))
);
CREATE INDEX audit_event_age ON public.audit_event USING btree (at);
CREATE INDEX audit_event_customer ON public.audit_event USING btree (customer_id, id DESC);
CREATE TRIGGER audit_event_is_kept BEFORE DELETE OR UPDATE ON public.audit_event FOR EACH ROW EXECUTE FUNCTION audit_event_is_kept();
CREATE TRIGGER audit_event_is_not_emptied BEFORE TRUNCATE ON public.audit_event FOR EACH STATEMENT EXECUTE FUNCTION audit_event_is_kept();

create table benchmark_result (
  id bigint not null,
  job_id bigint not null,
  task_id bigint,
  benchmark_id text not null,
  attempt integer not null,
  result_key text not null,
  state text not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  config jsonb,
  results jsonb,
  error_message text,
  epoch integer not null,
  late boolean default false not null,
  received_at timestamp with time zone not null,
  item integer,
  kept_aside boolean default false not null,
  size_bytes integer generated always as (COALESCE(octet_length((results)::text), 0)) stored not null,
  raw_bytes integer default 0 not null,
  raw_artifact_id bigint,
  constraint benchmark_result_pkey PRIMARY KEY (id),
  constraint benchmark_result_key UNIQUE (result_key),
  constraint benchmark_result_attempt_check CHECK ((attempt >= 1)),
  constraint benchmark_result_benchmark_id_check CHECK (((char_length(benchmark_id) >= 1) AND (char_length(benchmark_id) <= 60))),
  constraint benchmark_result_item CHECK (((item >= 0) AND (item <= 19))),
  constraint benchmark_result_raw_bytes_check CHECK ((raw_bytes >= 0)),
  constraint benchmark_result_result_key_check CHECK ((result_key ~ '^[0-9a-f]{64}$'::text)),
  constraint benchmark_result_state CHECK ((state = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text, 'failed'::text, 'skipped'::text]))),
  constraint benchmark_result_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id),
  constraint benchmark_result_raw_artifact_id_fkey FOREIGN KEY (raw_artifact_id) REFERENCES artifact(id) ON DELETE SET NULL,
  constraint benchmark_result_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id)
);
CREATE INDEX benchmark_result_of_job ON public.benchmark_result USING btree (job_id) WHERE (task_id IS NULL);
CREATE INDEX benchmark_result_raw ON public.benchmark_result USING btree (raw_artifact_id) WHERE (raw_artifact_id IS NOT NULL);
CREATE INDEX benchmark_result_sizes ON public.benchmark_result USING btree (job_id, task_id) INCLUDE (size_bytes, raw_bytes) WHERE (task_id IS NOT NULL);
CREATE INDEX benchmark_result_task ON public.benchmark_result USING btree (task_id, benchmark_id, attempt DESC, id DESC);
CREATE CONSTRAINT TRIGGER result_event AFTER INSERT ON public.benchmark_result DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_job_event('figure');

create table carbon_default_postcode (
  edition_id bigint not null,
  country_code text not null,
  postcode text not null,
  constraint carbon_default_postcode_pkey PRIMARY KEY (edition_id, country_code),
  constraint carbon_default_postcode_edition_id_fkey FOREIGN KEY (edition_id) REFERENCES carbon_edition(edition_id) ON DELETE CASCADE
);

create table carbon_edition (
  edition_id bigint not null,
  source text not null,
  scope text not null,
  published_on date,
  origin text not null,
  sha256 bytea not null,
  row_count integer not null,
  refused jsonb default '{}'::jsonb not null,
  shipped boolean not null,
  loaded_at timestamp with time zone not null,
  constraint carbon_edition_pkey PRIMARY KEY (edition_id),
  constraint carbon_edition_source_scope_shipped_key UNIQUE (source, scope, shipped),
  constraint carbon_edition_source_fkey FOREIGN KEY (source) REFERENCES carbon_source(source)
);

create table carbon_factor (
  source text not null,
  edition_id bigint not null,
  zone text not null,
  valid_from timestamp with time zone not null,
  valid_to timestamp with time zone not null,
  g_per_kwh double precision not null,
  basis text not null,
  kind text not null,
  source_year smallint,
  source_row text not null,
  constraint carbon_factor_pkey PRIMARY KEY (edition_id, zone, basis, kind, valid_from, source),
  constraint carbon_factor_basis_check CHECK ((basis = ANY (ARRAY['direct'::text, 'lifecycle'::text]))),
  constraint carbon_factor_check CHECK ((valid_to > valid_from)),
  constraint carbon_factor_g_per_kwh_check CHECK (((g_per_kwh >= (0)::double precision) AND (g_per_kwh <= (5000)::double precision))),
  constraint carbon_factor_kind_check CHECK ((kind = ANY (ARRAY['average'::text, 'marginal'::text]))),
  constraint carbon_factor_edition_id_fkey FOREIGN KEY (edition_id) REFERENCES carbon_edition(edition_id) ON DELETE CASCADE,
  constraint carbon_factor_source_fkey FOREIGN KEY (source) REFERENCES carbon_source(source),
  constraint carbon_factor_zone_fkey FOREIGN KEY (zone) REFERENCES carbon_zone(zone)
) partition by LIST (source);

create table carbon_region (
  edition_id bigint not null,
  provider text not null,
  code text not null,
  name text not null,
  country_code text not null,
  zone text not null,
  constraint carbon_region_pkey PRIMARY KEY (edition_id, provider, code),
  constraint carbon_region_edition_id_fkey FOREIGN KEY (edition_id) REFERENCES carbon_edition(edition_id) ON DELETE CASCADE,
  constraint carbon_region_zone_fkey FOREIGN KEY (zone) REFERENCES carbon_zone(zone)
);

create table carbon_source (
  source text not null,
  title text not null,
  licence text not null,
  credit text not null,
  share_alike boolean not null,
  constraint carbon_source_pkey PRIMARY KEY (source)
);

create table carbon_zip (
  edition_id bigint not null,
  prefix text not null,
  state text not null,
  zones text[] not null,
  zips text not null,
  constraint carbon_zip_pkey PRIMARY KEY (edition_id, prefix, state, zones),
  constraint carbon_zip_prefix_check CHECK ((prefix ~ '^[0-9]{3}$'::text)),
  constraint carbon_zip_edition_id_fkey FOREIGN KEY (edition_id) REFERENCES carbon_edition(edition_id) ON DELETE CASCADE
);

create table carbon_zone (
  zone text not null,
  name text not null,
  country_code text,
  constraint carbon_zone_pkey PRIMARY KEY (zone)
);

create table committed_use_ratio (
  provider_id integer not null,
  tenor_months smallint not null,
  as_of date not null,
  ratio double precision not null,
  source_url text not null,
  constraint committed_use_ratio_pkey PRIMARY KEY (provider_id, tenor_months, as_of),
  constraint committed_use_ratio_ratio_check CHECK (((ratio > (0)::double precision) AND (ratio <= (1)::double precision))),
  constraint committed_use_ratio_source_url_check CHECK ((source_url <> ''::text)),
  constraint committed_use_ratio_tenor_months_check CHECK ((tenor_months = ANY (ARRAY[12, 36]))),
  constraint committed_use_ratio_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);

create table customer (
  id bigint not null,
  name text not null,
  created_at timestamp with time zone not null,
  requires_second_factor boolean default false not null,
  constraint customer_pkey PRIMARY KEY (id),
  constraint customer_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120)))
);
CREATE UNIQUE INDEX customer_name ON public.customer USING btree (lower(name));

create table customer_terms (
  customer_id bigint not null,
  products text[],
  applications integer,
  tokens_per_application integer,
  token_days integer,
  api_keys integer,
  requests_per_minute integer,
  burst integer,
  history_days integer,
  archive_tiers integer[],
  token_index_tokens text[],
  token_index_versions text[],
  token_index_from date,
  token_index_to date,
  updated_at timestamp with time zone not null,
  constraint customer_terms_pkey PRIMARY KEY (customer_id),
  constraint customer_terms_api_keys_check CHECK (((api_keys >= 0) AND (api_keys <= 10000))),
  constraint customer_terms_applications_check CHECK (((applications >= 0) AND (applications <= 10000))),
  constraint customer_terms_burst_check CHECK (((burst >= 1) AND (burst <= 1000000))),
  constraint customer_terms_history_days_check CHECK (((history_days >= 1) AND (history_days <= 36500))),
  constraint customer_terms_requests_per_minute_check CHECK (((requests_per_minute >= 1) AND (requests_per_minute <= 1000000))),
  constraint customer_terms_token_days_check CHECK (((token_days >= 1) AND (token_days <= 3650))),
  constraint customer_terms_tokens_per_application_check CHECK (((tokens_per_application >= 0) AND (tokens_per_application <= 10000))),
  constraint customer_terms_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id)
);

create table daily_price (
  day date not null,
  product_id integer not null,
  price_type smallint not null,
  country text not null,
  price double precision not null,
  price_median double precision not null,
  provider_count integer not null,
  sample_size integer not null,
  p10 double precision,
  p90 double precision,
  oldest_quote date,
  status text,
  constraint daily_price_pkey PRIMARY KEY (product_id, price_type, country, day),
  constraint daily_price_status_check CHECK ((status = ANY (ARRAY['ok'::text, 'thin'::text, 'insufficient'::text])))
) partition by RANGE (day);

create table data_version (
  area text not null,
  version bigint not null,
  constraint data_version_pkey PRIMARY KEY (area)
);
CREATE TRIGGER data_version_told AFTER UPDATE ON public.data_version FOR EACH STATEMENT EXECUTE FUNCTION tell_replicas('data');

create table exchange_rate (
  currency text not null,
  day date not null,
  usd double precision not null,
  constraint exchange_rate_pkey PRIMARY KEY (currency, day),
  constraint exchange_rate_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint exchange_rate_usd_check CHECK ((usd > (0)::double precision))
);

create table forward_curve (
  id bigint not null,
  product_id integer not null,
  provider_source_type text not null,
  as_of date not null,
  computed_at timestamp with time zone not null,
  longest_months double precision not null,
  providers text[] not null,
  flags text[] not null,
  inputs jsonb not null,
  constraint forward_curve_pkey PRIMARY KEY (id),
  constraint forward_curve_product_id_provider_source_type_as_of_key UNIQUE (product_id, provider_source_type, as_of),
  constraint forward_curve_longest_months_check CHECK ((longest_months > (0)::double precision)),
  constraint forward_curve_provider_source_type_check CHECK ((provider_source_type = ANY (ARRAY['Hyperscaler'::text, 'Neocloud'::text, 'Marketplace'::text]))),
  constraint forward_curve_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(product_id)
);
CREATE TRIGGER forward_curve_stands BEFORE DELETE OR UPDATE ON public.forward_curve FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table forward_point (
  curve_id bigint not null,
  tenor_months double precision not null,
  term_rate double precision not null,
  forward_rate double precision not null,
  basis text not null,
  constraint forward_point_pkey PRIMARY KEY (curve_id, tenor_months),
  constraint forward_point_basis_check CHECK ((basis = ANY (ARRAY['observed'::text, 'interpolated'::text, 'ratio'::text, 'capped'::text]))),
  constraint forward_point_forward_rate_check CHECK ((forward_rate >= (0)::double precision)),
  constraint forward_point_term_rate_check CHECK ((term_rate >= (0)::double precision)),
  constraint forward_point_curve_id_fkey FOREIGN KEY (curve_id) REFERENCES forward_curve(id)
);
CREATE TRIGGER forward_point_stands BEFORE DELETE OR UPDATE ON public.forward_point FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table idempotency_key (
  customer_id bigint not null,
  key text not null,
  request_hash text not null,
  status integer not null,
  body jsonb not null,
  created_at timestamp with time zone not null,
  constraint idempotency_key_pkey PRIMARY KEY (customer_id, key),
  constraint idempotency_key_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 200))),
  constraint idempotency_key_request_hash_check CHECK ((request_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint idempotency_key_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id)
);

create table ingest_run (
  id bigint not null,
  source text not null,
  scope text not null,
  origin text not null,
  content_sha256 bytea not null,
  etag text,
  first_day date,
  last_day date,
  rows_read bigint not null,
  rows_kept bigint not null,
  refused jsonb not null,
  unmatched bigint not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  replaced_by bigint,
  days integer,
  products integer,
  providers integer,
  drop_accepted boolean default false not null,
  keeps_replaced boolean default false not null,
  rows_replaced bigint,
  rows_aside bigint default 0 not null,
  undone_at timestamp with time zone,
  file text,
  unit_changed_on date[] default '{}'::date[] not null,
  covered jsonb,
  constraint ingest_run_pkey PRIMARY KEY (id),
  constraint ingest_run_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES ingest_run(id)
);
CREATE INDEX ingest_run_source ON public.ingest_run USING btree (source, scope, ended_at DESC);

create table job (
  id bigint not null,
  customer_id bigint not null,
  created_by bigint,
  name text not null,
  description text default ''::text not null,
  state text not null,
  node_count integer not null,
  current_nodes integer default 0 not null,
  benchmark_sequence jsonb not null,
  benchmarks text[] not null,
  tags text[] default '{}'::text[] not null,
  token_id text not null,
  token_kid text not null,
  token_revoked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  registration_closes_at timestamp with time zone,
  archived_at timestamp with time zone,
  deleted_at timestamp with time zone,
  warnings text[] default '{}'::text[] not null,
  simulated boolean default false not null,
  gpu_models text[] default '{}'::text[] not null,
  quick_mark_aggregate jsonb,
  performance_status text,
  performance jsonb,
  performance_nodes jsonb,
  scoreboard_model text,
  scoreboard_group text,
  scoreboard_index double precision,
  report_artifact_id bigint,
  search_name text generated always as (lower(name)) stored not null,
  search_tags bigint generated always as (tag_bits(tags)) stored not null,
  judgement jsonb,
  grade text generated always as ((judgement #>> '{verdict,grade}'::text[])) stored,
  constraint job_pkey PRIMARY KEY (id),
  constraint job_benchmark_sequence_check CHECK ((jsonb_typeof(benchmark_sequence) = 'array'::text)),
  constraint job_benchmarks_check CHECK (((cardinality(benchmarks) >= 1) AND (cardinality(benchmarks) <= 21))),
  constraint job_check CHECK (((current_nodes >= 0) AND (current_nodes <= node_count))),
  constraint job_check1 CHECK ((expires_at > created_at)),
  constraint job_deleted_only_at_rest CHECK (((deleted_at IS NULL) OR (state <> ALL (ARRAY['starting'::text, 'running'::text])))),
  constraint job_description_check CHECK ((char_length(description) <= 512)),
  constraint job_ended CHECK (((state = ANY (ARRAY['completed'::text, 'completed_with_warnings'::text, 'failed'::text, 'aborted'::text])) = (ended_at IS NOT NULL))),
  constraint job_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60))),
  constraint job_node_count_check CHECK (((node_count >= 1) AND (node_count <= 256))),
  constraint job_performance CHECK ((performance_status = ANY (ARRAY['underperforming'::text, 'nominal'::text, 'outperforming'::text, 'unknown'::text]))),
  constraint job_ranked CHECK (((scoreboard_group IS NULL) = (scoreboard_index IS NULL))),
  constraint job_scoreboard_index_check CHECK ((scoreboard_index > (0)::double precision)),
  constraint job_started CHECK (((state = 'created'::text) <= (started_at IS NULL))),
  constraint job_state CHECK ((state = ANY (ARRAY['created'::text, 'starting'::text, 'running'::text, 'completed'::text, 'completed_with_warnings'::text, 'failed'::text, 'aborted'::text]))),
  constraint job_tags_check CHECK ((cardinality(tags) <= 10)),
  constraint job_created_by_fkey FOREIGN KEY (created_by) REFERENCES user_account(id),
  constraint job_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint job_report_artifact_id_fkey FOREIGN KEY (report_artifact_id) REFERENCES artifact(id),
  constraint job_token_kid_fkey FOREIGN KEY (token_kid) REFERENCES signing_key(kid)
);
CREATE INDEX job_all_by_time ON public.job USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX job_by_nodes ON public.job USING btree (customer_id, node_count, id) WHERE (deleted_at IS NULL);
CREATE INDEX job_by_state ON public.job USING btree (customer_id, state, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX job_name ON public.job USING btree (customer_id, name) WHERE (deleted_at IS NULL);
CREATE INDEX job_named ON public.job USING btree (customer_id, created_at DESC, id DESC) INCLUDE (search_name, name, state, node_count, performance_status, benchmarks) WHERE (deleted_at IS NULL);
CREATE INDEX job_open ON public.job USING btree (expires_at) WHERE ((state = ANY (ARRAY['created'::text, 'starting'::text, 'running'::text])) AND (deleted_at IS NULL));
CREATE INDEX job_rank ON public.job USING btree (scoreboard_group, customer_id, id DESC) INCLUDE (scoreboard_index) WHERE ((scoreboard_group IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX job_recent ON public.job USING btree (customer_id, created_at DESC, id DESC) INCLUDE (state, node_count, performance_status, benchmarks) WHERE (deleted_at IS NULL);
CREATE INDEX job_report_artifact ON public.job USING btree (report_artifact_id) WHERE (report_artifact_id IS NOT NULL);
CREATE INDEX job_tagged ON public.job USING btree (customer_id, created_at DESC, id DESC) INCLUDE (search_tags, tags, search_name, state, node_count, performance_status, benchmarks) WHERE (deleted_at IS NULL);
CREATE INDEX job_unarchived ON public.job USING btree (ended_at) WHERE ((ended_at IS NOT NULL) AND (archived_at IS NULL));
CREATE CONSTRAINT TRIGGER job_made_event AFTER INSERT ON public.job DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_job_event('job');
CREATE CONSTRAINT TRIGGER job_moved_event AFTER UPDATE ON public.job DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.state IS DISTINCT FROM new.state) OR (old.current_nodes IS DISTINCT FROM new.current_nodes) OR (old.name IS DISTINCT FROM new.name) OR (old.quick_mark_aggregate IS DISTINCT FROM new.quick_mark_aggregate))) EXECUTE FUNCTION note_job_event('job');
CREATE CONSTRAINT TRIGGER job_report_event AFTER UPDATE ON public.job DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.report_artifact_id IS DISTINCT FROM new.report_artifact_id)) EXECUTE FUNCTION note_job_event('report');

create table job_event (
  job_id bigint not null,
  seq bigint not null,
  kind text not null,
  subject bigint,
  at timestamp with time zone not null,
  constraint job_event_pkey PRIMARY KEY (job_id, seq),
  constraint job_event_kind_check CHECK ((kind = ANY (ARRAY['job'::text, 'node'::text, 'figure'::text, 'link'::text, 'report'::text]))),
  constraint job_event_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON DELETE CASCADE
);
CREATE INDEX job_event_age ON public.job_event USING btree (at);

create table job_event_head (
  job_id bigint not null,
  seq bigint not null,
  constraint job_event_head_pkey PRIMARY KEY (job_id),
  constraint job_event_head_seq_check CHECK ((seq > 0)),
  constraint job_event_head_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON DELETE CASCADE
) with (fillfactor=50);

create table latest_price (
  product_id integer not null,
  price_type smallint not null,
  country text not null,
  day date not null,
  price double precision not null,
  price_median double precision not null,
  provider_count integer not null,
  sample_size integer not null,
  p10 double precision,
  p90 double precision,
  oldest_quote date,
  status text,
  constraint latest_price_pkey PRIMARY KEY (product_id, price_type, country),
  constraint latest_price_status_check CHECK ((status = ANY (ARRAY['ok'::text, 'thin'::text, 'insufficient'::text])))
);

create table login_place (
  user_id bigint not null,
  network text not null,
  last_at timestamp with time zone not null,
  constraint login_place_pkey PRIMARY KEY (user_id, network),
  constraint login_place_network_check CHECK (((char_length(network) >= 3) AND (char_length(network) <= 60))),
  constraint login_place_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id)
);
CREATE INDEX login_place_age ON public.login_place USING btree (last_at);

create table login_session (
  id bigint not null,
  user_id bigint not null,
  generation integer default 1 not null,
  created_at timestamp with time zone not null,
  refreshed_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint login_session_pkey PRIMARY KEY (id),
  constraint login_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id)
);
CREATE INDEX login_session_expiry ON public.login_session USING btree (expires_at);
CREATE INDEX login_session_user ON public.login_session USING btree (user_id);

create table login_throttle (
  subject text not null,
  failures integer not null,
  window_started_at timestamp with time zone not null,
  blocked_until timestamp with time zone,
  constraint login_throttle_pkey PRIMARY KEY (subject),
  constraint login_throttle_failures_check CHECK ((failures >= 0)),
  constraint login_throttle_subject_check CHECK (((char_length(subject) >= 3) AND (char_length(subject) <= 300)))
);

create table machine_change (
  id bigint generated always as identity not null,
  customer_id bigint not null,
  machine_uuid text not null,
  runs smallint not null,
  completed smallint not null,
  simulated smallint not null,
  constraint machine_change_pkey PRIMARY KEY (id)
);
CREATE INDEX machine_change_customer ON public.machine_change USING btree (customer_id);

create table machine_runs (
  customer_id bigint not null,
  machine_uuid text not null,
  runs integer not null,
  completed integer not null,
  simulated integer not null,
  constraint machine_runs_pkey PRIMARY KEY (customer_id, machine_uuid)
);

create table network_link (
  job_id bigint not null,
  item integer not null,
  link integer not null,
  attempt integer not null,
  phase text not null,
  sequence integer not null,
  round integer,
  source integer not null,
  target integer not null,
  dialer integer,
  address text,
  port integer,
  dialer_address text,
  transport text not null,
  streams integer,
  concurrent_links integer,
  starts_at timestamp with time zone,
  slot_ms double precision,
  status text,
  source_report jsonb,
  target_report jsonb,
  version bigint default 0 not null,
  verdict text,
  expected_forward_gbps double precision,
  expected_reverse_gbps double precision,
  bandwidth_gbps double precision generated always as (
CASE
    WHEN ((status IS NOT NULL) AND (((target_report -> 'received'::text) ->> 'gbps'::text) IS NOT NULL) AND (((source_report -> 'received'::text) ->> 'gbps'::text) IS NOT NULL)) THEN LEAST((((target_report -> 'received'::text) ->> 'gbps'::text))::double precision, (((source_report -> 'received'::text) ->> 'gbps'::text))::double precision)
    ELSE NULL::double precision
END) stored,
  latency_us double precision generated always as (
CASE
    WHEN (status IS NOT NULL) THEN (COALESCE(
    CASE
        WHEN (dialer = target) THEN (((target_report -> 'rtt_us'::text) ->> 'p50'::text))::double precision
        ELSE NULL::double precision
    END, (((source_report -> 'rtt_us'::text) ->> 'p50'::text))::double precision, (((target_report -> 'rtt_us'::text) ->> 'p50'::text))::double precision) / (2)::double precision)
    ELSE NULL::double precision
END) stored,
  repeated boolean default false not null,
  expected_forward_rates integer,
  expected_reverse_rates integer,
  constraint network_link_pkey PRIMARY KEY (job_id, item, link, attempt),
  constraint network_link_attempt_check CHECK ((attempt >= 1)),
  constraint network_link_check CHECK ((target <> source)),
  constraint network_link_phase CHECK ((phase = ANY (ARRAY['preflight'::text, 'ring'::text, 'rounds'::text, 'retests'::text]))),
  constraint network_link_status CHECK ((status = ANY (ARRAY['ok'::text, 'unreachable'::text, 'refused'::text, 'auth_failed'::text, 'timeout'::text, 'closed'::text, 'transport_error'::text, 'node_lost'::text, 'no_report'::text]))),
  constraint network_link_transport_check CHECK ((transport = ANY (ARRAY['tcp'::text, 'rdma_host'::text, 'rdma_gpu'::text]))),
  constraint network_link_job_id_item_fkey FOREIGN KEY (job_id, item) REFERENCES network_run(job_id, item)
);
CREATE INDEX network_link_bandwidth ON public.network_link USING btree (job_id, item, bandwidth_gbps, link, attempt) WHERE (status IS NOT NULL);
CREATE INDEX network_link_latency ON public.network_link USING btree (job_id, item, latency_us, link, attempt) WHERE (status IS NOT NULL);
CREATE INDEX network_link_plan ON public.network_link USING btree (job_id, item, sequence) WHERE (starts_at IS NOT NULL);
CREATE INDEX network_link_version ON public.network_link USING btree (job_id, item, version) WHERE ((attempt = 1) AND (phase <> 'ring'::text) AND (status IS NOT NULL));

create table network_node (
  job_id bigint not null,
  item integer not null,
  node integer not null,
  task_id bigint not null,
  endpoints jsonb not null,
  capabilities jsonb not null,
  joined_at timestamp with time zone not null,
  state text not null,
  lost_at timestamp with time zone,
  preflight jsonb,
  dials integer default 0 not null,
  constraint network_node_pkey PRIMARY KEY (job_id, item, node),
  constraint network_node_task UNIQUE (job_id, item, task_id),
  constraint network_node_node_check CHECK (((node >= 0) AND (node <= 255))),
  constraint network_node_state CHECK ((state = ANY (ARRAY['joined'::text, 'lost'::text]))),
  constraint network_node_job_id_item_fkey FOREIGN KEY (job_id, item) REFERENCES network_run(job_id, item),
  constraint network_node_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id)
);

create table network_run (
  job_id bigint not null,
  item integer not null,
  state text not null,
  config jsonb,
  seed text not null,
  secret bytea,
  sequence integer default 0 not null,
  plan jsonb,
  due_at timestamp with time zone not null,
  returned_at timestamp with time zone,
  joining_ends_at timestamp with time zone not null,
  started_at timestamp with time zone,
  deadline_at timestamp with time zone,
  rounds_started_at timestamp with time zone,
  rounds_ended_at timestamp with time zone,
  next_round integer default 0 not null,
  graph jsonb,
  transport text,
  transport_note text,
  collective jsonb,
  outcome text,
  message text,
  summary jsonb,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint network_run_pkey PRIMARY KEY (job_id, item),
  constraint network_run_ended CHECK ((((state = 'ended'::text) = (ended_at IS NOT NULL)) AND ((state = 'ended'::text) = (outcome IS NOT NULL)))),
  constraint network_run_item_check CHECK (((item >= 0) AND (item <= 20))),
  constraint network_run_outcome CHECK ((outcome = ANY (ARRAY['completed'::text, 'failed'::text, 'skipped'::text]))),
  constraint network_run_secret CHECK (((state = 'ended'::text) = (secret IS NULL))),
  constraint network_run_secret_check CHECK ((octet_length(secret) = 32)),
  constraint network_run_sequence_check CHECK ((sequence >= 0)),
  constraint network_run_state CHECK ((state = ANY (ARRAY['joining'::text, 'preflight'::text, 'ring'::text, 'rounds'::text, 'retests'::text, 'collective'::text, 'ended'::text]))),
  constraint network_run_transport_check CHECK ((transport = ANY (ARRAY['tcp'::text, 'rdma_host'::text, 'rdma_gpu'::text]))),
  constraint network_run_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id)
);
CREATE CONSTRAINT TRIGGER network_event AFTER UPDATE ON public.network_run DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.sequence IS DISTINCT FROM new.sequence) OR (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION note_job_event('link');
CREATE TRIGGER network_run_told AFTER UPDATE OF sequence, state ON public.network_run FOR EACH ROW WHEN (((old.sequence IS DISTINCT FROM new.sequence) OR (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION tell_replicas('run');

create table network_seen (
  job_id bigint not null,
  item integer not null,
  node integer not null,
  seen_at timestamp with time zone not null,
  constraint network_seen_pkey PRIMARY KEY (job_id, item, node),
  constraint network_seen_job_id_item_node_fkey FOREIGN KEY (job_id, item, node) REFERENCES network_node(job_id, item, node)
) with (fillfactor=70);

create table observation (
  observed_at timestamp with time zone not null,
  run_id bigint not null,
  product_id integer not null,
  provider_id integer not null,
  price_type smallint not null,
  country text,
  region text,
  price double precision not null,
  original_price double precision not null,
  currency text not null,
  rate double precision not null,
  gpu_count real not null,
  cluster_size smallint not null,
  offer text,
  label text,
  row integer,
  row_hash bytea,
  evidence text,
  segment text,
  sized boolean default true not null,
  doubt text,
  constraint observation_cluster_size_check CHECK ((cluster_size > 0)),
  constraint observation_gpu_count_check CHECK ((gpu_count > (0)::double precision)),
  constraint observation_price_check CHECK (((price > (0)::double precision) AND (price < 'Infinity'::double precision))),
  constraint observation_price_type_check CHECK ((price_type = ANY (ARRAY['-1'::integer, 0, 1, 3, 6, 12, 24, 36, 100, 101, 102])))
) partition by RANGE (observed_at);
CREATE INDEX observation_time ON ONLY public.observation USING brin (observed_at) WITH (pages_per_range='32');

create table password_link (
  token_hash bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint password_link_pkey PRIMARY KEY (token_hash),
  constraint password_link_token_hash_check CHECK ((octet_length(token_hash) = 32)),
  constraint password_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id)
);
CREATE INDEX password_link_user ON public.password_link USING btree (user_id);

create table portal_session (
  token_hash bytea not null,
  login_session_id bigint not null,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  password_at timestamp with time zone not null,
  address text,
  browser text not null,
  constraint portal_session_pkey PRIMARY KEY (token_hash),
  constraint portal_session_address_check CHECK ((char_length(address) <= 60)),
  constraint portal_session_browser_check CHECK ((char_length(browser) <= 120)),
  constraint portal_session_token_hash_check CHECK ((octet_length(token_hash) = 32)),
  constraint portal_session_login_session_id_fkey FOREIGN KEY (login_session_id) REFERENCES login_session(id) ON DELETE CASCADE,
  constraint portal_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id)
);
CREATE INDEX portal_session_age ON public.portal_session USING btree (seen_at);
CREATE INDEX portal_session_login ON public.portal_session USING btree (login_session_id);
CREATE INDEX portal_session_user ON public.portal_session USING btree (user_id, seen_at);

create table portal_share (
  id bigint not null,
  customer_id bigint not null,
  created_by bigint,
  job_id bigint,
  path text not null,
  query text not null,
  key bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint portal_share_pkey PRIMARY KEY (id),
  constraint portal_share_check CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '90 days'::interval)))),
  constraint portal_share_key_check CHECK ((octet_length(key) = 32)),
  constraint portal_share_path_check CHECK (((path ~ '^/[a-z]'::text) AND (char_length(path) <= 200))),
  constraint portal_share_query_check CHECK ((char_length(query) <= 1000)),
  constraint portal_share_created_by_fkey FOREIGN KEY (created_by) REFERENCES user_account(id) ON DELETE SET NULL,
  constraint portal_share_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint portal_share_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id)
);
CREATE INDEX portal_share_customer ON public.portal_share USING btree (customer_id, created_at DESC);
CREATE INDEX portal_share_job ON public.portal_share USING btree (job_id) WHERE (job_id IS NOT NULL);

create table prediction_model (
  model_version text not null,
  id bigint not null,
  trained_at timestamp with time zone not null,
  as_of date not null,
  state text not null,
  why text,
  document bytea not null,
  backtest jsonb not null,
  constraint prediction_model_pkey PRIMARY KEY (model_version),
  constraint prediction_model_id_key UNIQUE (id),
  constraint prediction_model_state_check CHECK ((state = ANY (ARRAY['serving'::text, 'refused'::text, 'retired'::text])))
);
CREATE UNIQUE INDEX prediction_model_serving ON public.prediction_model USING btree (state) WHERE (state = 'serving'::text);

create table prediction_training (
  day date not null,
  begun_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint prediction_training_pkey PRIMARY KEY (day)
);

create table priced_day (
  day date not null,
  rules smallint not null,
  priced_at timestamp with time zone not null,
  constraint priced_day_pkey PRIMARY KEY (day)
);

create table product (
  product_id integer not null,
  slug text not null,
  name text not null,
  chip text not null,
  manufacturer text not null,
  accelerator_type text not null,
  form_factor text,
  mem double precision,
  mem_bus integer,
  bus text,
  bandwidth double precision,
  tdp double precision,
  fp16 double precision,
  msrp double precision,
  released_date date,
  source text not null,
  labels text[] default '{}'::text[] not null,
  origin text not null,
  architecture text,
  constraint product_pkey PRIMARY KEY (product_id),
  constraint product_slug_key UNIQUE (slug),
  constraint product_accelerator_type_check CHECK ((accelerator_type = ANY (ARRAY['gpu'::text, 'asic'::text, 'fpga'::text]))),
  constraint product_architecture_check CHECK ((architecture <> ''::text)),
  constraint product_bandwidth_check CHECK ((bandwidth > (0)::double precision)),
  constraint product_chip_check CHECK ((chip <> ''::text)),
  constraint product_fp16_check CHECK ((fp16 > (0)::double precision)),
  constraint product_manufacturer_check CHECK ((manufacturer <> ''::text)),
  constraint product_mem_bus_check CHECK ((mem_bus > 0)),
  constraint product_mem_check CHECK ((mem > (0)::double precision)),
  constraint product_msrp_check CHECK ((msrp > (0)::double precision)),
  constraint product_name_check CHECK ((name <> ''::text)),
  constraint product_origin_check CHECK ((origin = ANY (ARRAY['seed'::text, 'import'::text]))),
  constraint product_product_id_check CHECK ((product_id > 0)),
  constraint product_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 80))),
  constraint product_source_check CHECK ((source <> ''::text)),
  constraint product_tdp_check CHECK ((tdp > (0)::double precision))
);

create table provider (
  provider_id integer generated always as identity not null,
  slug text not null,
  name text not null,
  aliases text[] default '{}'::text[] not null,
  provider_source_type text not null,
  reseller boolean not null,
  country text,
  origin text not null,
  constraint provider_pkey PRIMARY KEY (provider_id),
  constraint provider_slug_key UNIQUE (slug),
  constraint provider_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint provider_name_check CHECK ((name <> ''::text)),
  constraint provider_origin_check CHECK ((origin = ANY (ARRAY['seed'::text, 'import'::text]))),
  constraint provider_provider_source_type_check CHECK ((provider_source_type = ANY (ARRAY['Hyperscaler'::text, 'Neocloud'::text, 'Marketplace'::text]))),
  constraint provider_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 80)))
);

create table provider_presence (
  provider_id integer not null,
  product_id integer not null,
  country text not null,
  first_day date not null,
  last_day date not null,
  constraint provider_presence_pkey PRIMARY KEY (provider_id, product_id, country)
);

create table provider_price (
  day date not null,
  product_id integer not null,
  price_type smallint not null,
  country text not null,
  provider_id integer not null,
  price double precision not null,
  observations integer not null,
  outlier boolean not null,
  segment text default ''::text not null,
  cards real,
  oldest_quote date,
  valid_days smallint default 1 not null,
  own_level double precision,
  screened_by text,
  own_days smallint,
  source text,
  constraint provider_price_pkey PRIMARY KEY (product_id, price_type, country, day, provider_id, segment)
) partition by RANGE (day);
CREATE INDEX provider_price_day ON ONLY public.provider_price USING brin (day);

create table rate_bucket (
  key text not null,
  tokens double precision not null,
  granted double precision not null,
  burst double precision not null,
  per_second double precision not null,
  at timestamp with time zone not null,
  constraint rate_bucket_pkey PRIMARY KEY (key),
  constraint rate_bucket_burst_check CHECK ((burst >= (1)::double precision)),
  constraint rate_bucket_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 100))),
  constraint rate_bucket_per_second_check CHECK ((per_second > (0)::double precision))
) with (fillfactor=50);

create table recovery_code (
  user_id bigint not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_code_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_code_code_hash_check CHECK ((octet_length(code_hash) = 32)),
  constraint recovery_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factor(user_id) ON DELETE CASCADE
);

create table replaced_archive (
  artifact_key text not null,
  replaced_at timestamp with time zone not null,
  constraint replaced_archive_pkey PRIMARY KEY (artifact_key)
);

create table replaced_observation (
  replaced_by bigint not null,
  observed_at timestamp with time zone not null,
  run_id bigint not null,
  product_id integer not null,
  provider_id integer not null,
  price_type smallint not null,
  country text,
  region text,
  price double precision not null,
  original_price double precision not null,
  currency text not null,
  rate double precision not null,
  gpu_count real not null,
  cluster_size smallint not null,
  offer text,
  label text,
  row integer,
  row_hash bytea,
  evidence text,
  segment text,
  sized boolean default true not null,
  doubt text
);
CREATE INDEX replaced_observation_by ON public.replaced_observation USING brin (replaced_by) WITH (pages_per_range='32', autosummarize='on');

create table replaced_row (
  replaced_by bigint not null,
  run_id bigint not null,
  relation text not null,
  content jsonb not null
);
CREATE INDEX replaced_row_by ON public.replaced_row USING btree (replaced_by, relation);
CREATE INDEX replaced_row_run ON public.replaced_row USING btree (run_id);

create table restatement (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  day date not null,
  product_id integer not null,
  price_type smallint not null,
  countries text[] not null,
  before double precision,
  after double precision,
  reason text not null,
  run_id bigint,
  constraint restatement_pkey PRIMARY KEY (id)
);
CREATE INDEX restatement_at ON public.restatement USING btree (at);
CREATE INDEX restatement_day ON public.restatement USING btree (day, product_id);

create table revocation (
  only_row boolean default true not null,
  count bigint not null,
  constraint revocation_pkey PRIMARY KEY (only_row),
  constraint revocation_only_row_check CHECK (only_row)
);
CREATE TRIGGER revocation_told AFTER INSERT OR UPDATE ON public.revocation FOR EACH STATEMENT EXECUTE FUNCTION tell_replicas('revocation');

create table schema_migration (
  number integer not null,
  name text not null,
  checksum text not null,
  breaking boolean not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migration_pkey PRIMARY KEY (number),
  constraint schema_migration_checksum_check CHECK ((checksum ~ '^[0-9a-f]{64}$'::text)),
  constraint schema_migration_number_check CHECK ((number > 0))
);

create table scoreboard_entry (
  task_id bigint not null,
  job_id bigint not null,
  machine_uuid text not null,
  gpu_vendor text not null,
  gpu_model text not null,
  device_count integer not null,
  bf16_tflops double precision,
  memory_bandwidth_gbs double precision,
  host_to_device_bandwidth_gbs double precision,
  device_to_host_bandwidth_gbs double precision,
  measured_at timestamp with time zone not null,
  bf16_engine text,
  customer_id bigint not null,
  model_key text,
  figures jsonb,
  bf16_load text,
  constraint scoreboard_entry_pkey PRIMARY KEY (task_id),
  constraint scoreboard_entry_bf16_tflops_check CHECK ((bf16_tflops > (0)::double precision)),
  constraint scoreboard_entry_device_count_check CHECK ((device_count >= 1)),
  constraint scoreboard_entry_device_to_host_bandwidth_gbs_check CHECK ((device_to_host_bandwidth_gbs > (0)::double precision)),
  constraint scoreboard_entry_engine CHECK ((bf16_engine = ANY (ARRAY['own'::text, 'vendor'::text]))),
  constraint scoreboard_entry_figures CHECK ((jsonb_typeof(figures) = 'object'::text)),
  constraint scoreboard_entry_host_to_device_bandwidth_gbs_check CHECK ((host_to_device_bandwidth_gbs > (0)::double precision)),
  constraint scoreboard_entry_load CHECK ((bf16_load = ANY (ARRAY['burst'::text, 'sustained'::text, 'settled'::text]))),
  constraint scoreboard_entry_memory_bandwidth_gbs_check CHECK ((memory_bandwidth_gbs > (0)::double precision)),
  constraint scoreboard_entry_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint scoreboard_entry_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id),
  constraint scoreboard_entry_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id)
);
CREATE INDEX scoreboard_entry_job ON public.scoreboard_entry USING btree (job_id);
CREATE INDEX scoreboard_entry_unread ON public.scoreboard_entry USING btree (measured_at) WHERE (figures IS NULL);
CREATE INDEX scoreboard_entry_votes ON public.scoreboard_entry USING btree (model_key, customer_id, measured_at DESC) WHERE (model_key IS NOT NULL);

create table second_factor (
  user_id bigint not null,
  secret bytea not null,
  created_at timestamp with time zone not null,
  enrolled_at timestamp with time zone,
  last_step integer default 0 not null,
  constraint second_factor_pkey PRIMARY KEY (user_id),
  constraint second_factor_secret_check CHECK ((octet_length(secret) = 20)),
  constraint second_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);

create table sign_up (
  token_hash bytea not null,
  email text not null,
  company text not null,
  first_name text not null,
  last_name text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sign_up_pkey PRIMARY KEY (token_hash),
  constraint sign_up_company_check CHECK (((char_length(company) >= 1) AND (char_length(company) <= 120))),
  constraint sign_up_email_check CHECK ((char_length(email) <= 254)),
  constraint sign_up_first_name_check CHECK ((char_length(first_name) <= 60)),
  constraint sign_up_last_name_check CHECK ((char_length(last_name) <= 60)),
  constraint sign_up_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX sign_up_age ON public.sign_up USING btree (expires_at);
CREATE INDEX sign_up_email ON public.sign_up USING btree (lower(email));

create table signing_key (
  kid text not null,
  purpose text not null,
  secret bytea not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint signing_key_pkey PRIMARY KEY (kid),
  constraint signing_key_check CHECK (((expires_at IS NULL) OR (retired_at IS NOT NULL))),
  constraint signing_key_kid_check CHECK (((char_length(kid) >= 8) AND (char_length(kid) <= 64))),
  constraint signing_key_purpose_check CHECK ((purpose = ANY (ARRAY['login'::text, 'job'::text]))),
  constraint signing_key_secret_check CHECK ((octet_length(secret) >= 32))
);
CREATE UNIQUE INDEX signing_key_current ON public.signing_key USING btree (purpose) WHERE (retired_at IS NULL);

create table subscription (
  id bigint not null,
  customer_id bigint not null,
  tier text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint subscription_pkey PRIMARY KEY (id),
  constraint subscription_check CHECK (((ends_at IS NULL) OR (ends_at >= starts_at))),
  constraint subscription_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint subscription_tier_fkey FOREIGN KEY (tier) REFERENCES tier_terms(tier)
);
CREATE INDEX subscription_customer ON public.subscription USING btree (customer_id, starts_at);

create table task (
  id bigint not null,
  job_id bigint not null,
  customer_id bigint not null,
  machine_uuid text not null,
  machine_ip text,
  hostname text,
  session_id uuid not null,
  agent_version text not null,
  launcher jsonb default '{}'::jsonb not null,
  state text not null,
  epoch integer default 1 not null,
  failed_message text,
  warnings text[] default '{}'::text[] not null,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  lost_at timestamp with time zone,
  deleted_at timestamp with time zone,
  config_id text,
  inventory jsonb,
  gpu_vendor text,
  gpu_model text,
  gpu_count integer,
  simulated boolean default false not null,
  report_artifact_id bigint,
  secret_hash text,
  judgement jsonb,
  device_ids text[] default '{}'::text[] not null,
  constraint task_pkey PRIMARY KEY (id),
  constraint task_machine UNIQUE (job_id, machine_uuid),
  constraint task_ended CHECK (((state = ANY (ARRAY['completed'::text, 'failed'::text, 'aborted'::text])) = (ended_at IS NOT NULL))),
  constraint task_epoch_check CHECK ((epoch >= 1)),
  constraint task_gpu_vendor_check CHECK ((gpu_vendor = ANY (ARRAY['nvidia'::text, 'amd'::text, 'cpu'::text]))),
  constraint task_lost CHECK (((state = 'lost'::text) = (lost_at IS NOT NULL))),
  constraint task_machine_uuid_check CHECK (((char_length(machine_uuid) >= 1) AND (char_length(machine_uuid) <= 60))),
  constraint task_secret_hash CHECK ((secret_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint task_state CHECK ((state = ANY (ARRAY['registered'::text, 'running'::text, 'uploading'::text, 'completed'::text, 'failed'::text, 'aborted'::text, 'lost'::text]))),
  constraint task_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint task_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id),
  constraint task_report_artifact_id_fkey FOREIGN KEY (report_artifact_id) REFERENCES artifact(id)
);
CREATE INDEX task_by_machine ON public.task USING btree (customer_id, machine_uuid, id DESC) INCLUDE (created_at, hostname, gpu_model, gpu_count) WHERE (deleted_at IS NULL);
CREATE INDEX task_by_time ON public.task USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX task_job ON public.task USING btree (job_id, id);
CREATE INDEX task_live ON public.task USING btree (state) WHERE (state = ANY (ARRAY['registered'::text, 'running'::text, 'uploading'::text]));
CREATE INDEX task_report_artifact ON public.task USING btree (report_artifact_id) WHERE (report_artifact_id IS NOT NULL);
CREATE INDEX task_unjudged ON public.task USING btree (id) WHERE ((judgement IS NULL) AND (ended_at IS NOT NULL));
CREATE CONSTRAINT TRIGGER task_made_event AFTER INSERT ON public.task DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_job_event('node');
CREATE TRIGGER task_made_machine AFTER INSERT OR DELETE ON public.task FOR EACH ROW EXECUTE FUNCTION note_machine_change();
CREATE CONSTRAINT TRIGGER task_moved_event AFTER UPDATE ON public.task DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.state IS DISTINCT FROM new.state) OR (old.warnings IS DISTINCT FROM new.warnings) OR (old.gpu_model IS DISTINCT FROM new.gpu_model) OR (old.report_artifact_id IS DISTINCT FROM new.report_artifact_id))) EXECUTE FUNCTION note_job_event('node');
CREATE TRIGGER task_moved_machine AFTER UPDATE ON public.task FOR EACH ROW WHEN (((((((old.deleted_at IS NULL) IS DISTINCT FROM (new.deleted_at IS NULL)) OR ((old.state = 'completed'::text) IS DISTINCT FROM (new.state = 'completed'::text))) OR (old.simulated IS DISTINCT FROM new.simulated)) OR (old.machine_uuid IS DISTINCT FROM new.machine_uuid)) OR (old.customer_id IS DISTINCT FROM new.customer_id))) EXECUTE FUNCTION note_machine_change();

create table task_lease (
  task_id bigint not null,
  epoch integer not null,
  phase text not null,
  progress real,
  beat_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint task_lease_pkey PRIMARY KEY (task_id),
  constraint task_lease_phase_check CHECK ((phase = ANY (ARRAY['waiting'::text, 'inventory'::text, 'measuring'::text, 'uploading'::text]))),
  constraint task_lease_progress_check CHECK (((progress >= (0)::double precision) AND (progress <= (1)::double precision))),
  constraint task_lease_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id)
) with (fillfactor=70);
CREATE CONSTRAINT TRIGGER lease_moved_event AFTER UPDATE ON public.task_lease DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.phase IS DISTINCT FROM new.phase)) EXECUTE FUNCTION note_job_event('node');

create table test_task (
  id bigint not null,
  customer_id bigint not null,
  machine_uuid text not null,
  machine_inventory jsonb default '[]'::jsonb not null,
  description text,
  state text not null,
  failed_message text,
  extra jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint test_task_pkey PRIMARY KEY (id),
  constraint test_task_machine_uuid_check CHECK (((char_length(machine_uuid) >= 1) AND (char_length(machine_uuid) <= 60))),
  constraint test_task_state CHECK ((state = ANY (ARRAY['registered'::text, 'running'::text, 'completed'::text, 'failed'::text, 'aborted'::text]))),
  constraint test_task_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id)
);
CREATE INDEX test_task_by_time ON public.test_task USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

create table tier_terms (
  tier text not null,
  products text[] not null,
  applications integer not null,
  tokens_per_application integer not null,
  token_days integer not null,
  api_keys integer not null,
  requests_per_minute integer not null,
  burst integer not null,
  history_days integer not null,
  archive_tiers integer[] not null,
  updated_at timestamp with time zone default now() not null,
  constraint tier_terms_pkey PRIMARY KEY (tier),
  constraint tier_terms_api_keys_check CHECK (((api_keys >= 0) AND (api_keys <= 10000))),
  constraint tier_terms_applications_check CHECK (((applications >= 0) AND (applications <= 10000))),
  constraint tier_terms_burst_check CHECK (((burst >= 1) AND (burst <= 1000000))),
  constraint tier_terms_history_days_check CHECK (((history_days >= 1) AND (history_days <= 36500))),
  constraint tier_terms_requests_per_minute_check CHECK (((requests_per_minute >= 1) AND (requests_per_minute <= 1000000))),
  constraint tier_terms_tier_check CHECK ((tier = ANY (ARRAY['basic'::text, 'plus'::text, 'professional'::text, 'enterprise'::text]))),
  constraint tier_terms_token_days_check CHECK (((token_days >= 1) AND (token_days <= 3650))),
  constraint tier_terms_tokens_per_application_check CHECK (((tokens_per_application >= 0) AND (tokens_per_application <= 10000)))
);

create table token_book (
  day date not null,
  model text not null,
  source_id text not null,
  source_type text not null,
  price_input numeric not null,
  price_output numeric not null,
  price_cached_input numeric,
  source text not null,
  observed_on date not null,
  run_id bigint not null,
  screened_by text,
  is_copied boolean default false not null,
  constraint token_book_pkey PRIMARY KEY (day, model, source_id),
  constraint token_book_screened_by_check CHECK ((screened_by = ANY (ARRAY['band'::text, 'own-history'::text, 'others'::text, 'copied'::text, 'same-company'::text]))),
  constraint token_book_source_type_check CHECK ((source_type = ANY (ARRAY['model-lab'::text, 'model-platform'::text, 'marketplace'::text]))),
  constraint token_book_day_model_fkey FOREIGN KEY (day, model) REFERENCES token_model_day(day, model) ON DELETE CASCADE
);

create table token_index_day (
  token text not null,
  version text not null,
  day date not null,
  value numeric,
  coverage numeric,
  models integer not null,
  tokens numeric not null,
  status text not null,
  reason text,
  computed_at timestamp with time zone not null,
  constraint token_index_day_pkey PRIMARY KEY (token, version, day),
  constraint token_index_day_check CHECK (((value IS NULL) = (status = 'missing'::text))),
  constraint token_index_day_status_check CHECK ((status = ANY (ARRAY['missing'::text, 'provisional'::text, 'frozen'::text])))
);

create table token_index_restatement (
  token text not null,
  version text not null,
  day date not null,
  restated_at timestamp with time zone not null,
  from_value numeric,
  to_value numeric,
  reason text not null,
  constraint token_index_restatement_pkey PRIMARY KEY (token, version, day, restated_at)
);

create table token_model_day (
  day date not null,
  model text not null,
  developer text not null,
  model_name text not null,
  model_type text,
  model_status text not null,
  total_param numeric,
  active_param numeric,
  context_length bigint,
  constraint token_model_day_pkey PRIMARY KEY (day, model),
  constraint token_model_day_model_status_check CHECK ((model_status = ANY (ARRAY['active'::text, 'deprecated'::text]))),
  constraint token_model_day_model_type_check CHECK ((model_type = ANY (ARRAY['open-source'::text, 'open-weight'::text, 'closed-source'::text])))
);

create table token_model_observation (
  run_id bigint not null,
  source text not null,
  day date not null,
  label text not null,
  model text not null,
  name text,
  context_length bigint,
  hugging_face_id text,
  open_weights boolean,
  total_param numeric,
  active_param numeric,
  param_evidence text,
  model_type text,
  is_deprecated boolean not null,
  expires_on date,
  constraint token_model_observation_active_param_check CHECK ((active_param > (0)::numeric)),
  constraint token_model_observation_context_length_check CHECK ((context_length > 0)),
  constraint token_model_observation_model_type_check CHECK ((model_type = ANY (ARRAY['open-source'::text, 'open-weight'::text, 'closed-source'::text]))),
  constraint token_model_observation_total_param_check CHECK ((total_param > (0)::numeric)),
  constraint token_model_observation_run_id_fkey FOREIGN KEY (run_id) REFERENCES ingest_run(id)
);
CREATE INDEX token_model_observation_day ON public.token_model_observation USING btree (day, source);
CREATE INDEX token_model_observation_model ON public.token_model_observation USING btree (model, day);

create table token_price_observation (
  run_id bigint not null,
  source text not null,
  day date not null,
  row_number integer not null,
  label text not null,
  model text not null,
  variant text not null,
  permaslug text,
  seller text not null,
  seller_type text not null,
  valid_from date,
  valid_to date,
  price_input numeric,
  price_output numeric,
  price_cached_input numeric,
  raw jsonb not null,
  constraint token_price_observation_check CHECK ((valid_to > valid_from)),
  constraint token_price_observation_check1 CHECK (((price_input IS NOT NULL) OR (price_output IS NOT NULL))),
  constraint token_price_observation_price_cached_input_check CHECK ((price_cached_input >= (0)::numeric)),
  constraint token_price_observation_price_input_check CHECK ((price_input >= (0)::numeric)),
  constraint token_price_observation_price_output_check CHECK ((price_output >= (0)::numeric)),
  constraint token_price_observation_seller_type_check CHECK ((seller_type = ANY (ARRAY['model-lab'::text, 'model-platform'::text, 'marketplace'::text]))),
  constraint token_price_observation_run_id_fkey FOREIGN KEY (run_id) REFERENCES ingest_run(id)
);
CREATE INDEX token_price_observation_day ON public.token_price_observation USING btree (day, source);
CREATE INDEX token_price_observation_model ON public.token_price_observation USING btree (model, seller, day);

create table token_pulse (
  day date not null,
  model text not null,
  volume_input_index numeric,
  volume_output_index numeric,
  avg_price_input numeric,
  avg_price_output numeric,
  med_price_input numeric,
  med_price_output numeric,
  sellers integer not null,
  is_estimated boolean not null,
  volume_counts integer,
  constraint token_pulse_pkey PRIMARY KEY (day, model),
  constraint token_pulse_day_model_fkey FOREIGN KEY (day, model) REFERENCES token_model_day(day, model) ON DELETE CASCADE
);

create table token_rules (
  rules smallint not null
);

create table token_usage_observation (
  run_id bigint not null,
  source text not null,
  day date not null,
  permaslug text not null,
  variant text not null,
  model text,
  tokens_total bigint not null,
  tokens_input bigint,
  tokens_output bigint,
  constraint token_usage_observation_pkey PRIMARY KEY (source, day, permaslug, variant),
  constraint token_usage_observation_check CHECK (((tokens_input IS NULL) = (tokens_output IS NULL))),
  constraint token_usage_observation_check1 CHECK (((tokens_input IS NULL) OR ((tokens_input + tokens_output) = tokens_total))),
  constraint token_usage_observation_tokens_input_check CHECK ((tokens_input >= 0)),
  constraint token_usage_observation_tokens_output_check CHECK ((tokens_output >= 0)),
  constraint token_usage_observation_tokens_total_check CHECK ((tokens_total >= 0)),
  constraint token_usage_observation_run_id_fkey FOREIGN KEY (run_id) REFERENCES ingest_run(id)
);

create table unmatched_label (
  source text not null,
  kind text not null,
  label text not null,
  rows bigint not null,
  first_seen date not null,
  last_seen date not null,
  constraint unmatched_label_pkey PRIMARY KEY (source, kind, label),
  constraint unmatched_label_kind_check CHECK ((kind = ANY (ARRAY['product'::text, 'provider'::text, 'model'::text])))
);

create table user_account (
  id bigint not null,
  customer_id bigint not null,
  email text not null,
  first_name text default ''::text not null,
  last_name text default ''::text not null,
  role text not null,
  password_hash text not null,
  session_epoch integer default 1 not null,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  password_ends_at timestamp with time zone,
  constraint user_account_pkey PRIMARY KEY (id),
  constraint user_account_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
  constraint user_account_password_hash_check CHECK ((password_hash ~~ '$argon2id$%'::text)),
  constraint user_account_role_check CHECK ((role = ANY (ARRAY['user'::text, 'customer_admin'::text, 'staff'::text, 'root_admin'::text]))),
  constraint user_account_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id)
);
CREATE INDEX user_account_customer ON public.user_account USING btree (customer_id);
CREATE UNIQUE INDEX user_account_email ON public.user_account USING btree (lower(email));

create table vote_ruling (
  id bigint generated always as identity not null,
  provider_id integer not null,
  product_id integer not null,
  price_type smallint not null,
  first_day date not null,
  last_day date,
  reason text not null,
  made_at timestamp with time zone not null,
  constraint vote_ruling_pkey PRIMARY KEY (id),
  constraint vote_ruling_reason_check CHECK ((reason <> ''::text)),
  constraint vote_ruling_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(product_id),
  constraint vote_ruling_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);

create table work_item (
  id bigint not null,
  kind text not null,
  subject_id bigint not null,
  state text not null,
  attempts integer default 0 not null,
  run_at timestamp with time zone not null,
  locked_until timestamp with time zone,
  error text,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  customer_id bigint not null,
  claimed_at timestamp with time zone,
  constraint work_item_pkey PRIMARY KEY (id),
  constraint work_item_finished CHECK (((state = ANY (ARRAY['done'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
  constraint work_item_kind_check CHECK ((kind = ANY (ARRAY['job_report'::text, 'task_report'::text]))),
  constraint work_item_state CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX work_item_due ON public.work_item USING btree (customer_id, run_at, id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE UNIQUE INDEX work_item_open ON public.work_item USING btree (kind, subject_id) WHERE (state = 'queued'::text);
CREATE INDEX work_item_turn ON public.work_item USING btree (customer_id, claimed_at) WHERE (claimed_at IS NOT NULL);
CREATE TRIGGER work_item_told AFTER INSERT ON public.work_item FOR EACH STATEMENT EXECUTE FUNCTION tell_replicas('work');

CREATE OR REPLACE FUNCTION public.add_market_partition(parent text, name text, first_day date, last_day date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if to_regclass(name) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('partition ' || name, 0));
  if to_regclass(name) is not null then
    return;
  end if;
  execute format('create table %I (like %I including all)', name, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, first_day, last_day);
end
$function$
;

CREATE OR REPLACE FUNCTION public.audit_event_is_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and (old.at < now() - interval '400 days' or current_setting('gpumark.erasing', true) = 'on') then
    return old;
  end if;
  raise exception 'audit events are not changed, and not deleted before they are 400 days old';
end
$function$
;

CREATE OR REPLACE FUNCTION public.note_job_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.note_machine_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is not changed once it is stored', tg_table_name;
end
$function$
;

CREATE OR REPLACE FUNCTION public.tag_bits(tags text[])
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT COALESCE(bit_or(((1)::bigint << (hashtext(tag.tag) & 63))), (0)::bigint) AS "coalesce" FROM unnest(tag_bits.tags) tag(tag))
;

CREATE OR REPLACE FUNCTION public.tell_replicas()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('gpumark', tg_argv[0]);
  return null;
end $function$
;
