-- An attempt is looked up by its primary key thousands of times a minute. A table that was never analysed has no figures of
-- its columns, and there Postgres takes any index that begins with job and item for as good: it read all attempts of a run,
-- dead ones too, for each. An index with a condition is for queries that have the condition, and never in the key's way.
drop index network_link_plan;
drop index network_link_version;
create index network_link_plan on network_link (job_id, item, sequence) where starts_at is not null;
create index network_link_version on network_link (job_id, item, version)
  where attempt = 1 and phase <> 'ring' and status is not null;
