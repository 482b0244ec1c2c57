-- Readings of tokens and carbon are measured, kept and undone like those of prices.

-- How much of its source a reading has, by kind; null: it is not a measure for later ones. In place of `products` and
-- `providers`, which an earlier version that still runs may write.
alter table ingest_run add column covered jsonb;
update ingest_run set covered = jsonb_build_object('rows', rows_kept, 'products', products, 'providers', providers)
where products is not null;

-- Rows that a later reading took the place of, as they stood, with the run that put them aside: their own where it was
-- undone. Observations of prices are too many to be kept like this: they are in replaced_observation.
create table replaced_row (
  replaced_by int8 not null,
  run_id int8 not null,
  -- the table that it was in
  relation text not null,
  content jsonb not null
);
create index replaced_row_by on replaced_row (replaced_by, relation);
create index replaced_row_run on replaced_row (run_id);

-- Carbon tables that an operator has loaded are readings too. What the last of them replaced was not kept.
insert into ingest_run (id, source, scope, origin, content_sha256, rows_read, rows_kept, refused, unmatched, started_at, ended_at)
select edition_id, source, scope, origin, sha256, row_count, row_count, refused, 0, loaded_at, loaded_at
from carbon_edition where not shipped;
