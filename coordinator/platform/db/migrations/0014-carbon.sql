-- Carbon: published factors with where each comes from, and what a post code or a provider's region belongs to.

-- Who publishes, and on what terms it may be passed on.
create table carbon_source (
  source text primary key,
  title text not null,
  licence text not null,
  -- how the licence asks to be named
  credit text not null,
  share_alike boolean not null
);

-- One table of a source, whole: a later one of the same source and scope takes its place. What comes with a version and what an
-- operator loads stand beside each other, so that a new version takes nothing loaded away.
create table carbon_edition (
  edition_id int8 primary key,
  source text not null references carbon_source,
  -- what part of the source it is: eGRID2023 rev2, 2024
  scope text not null,
  -- null: not known; the day of loading is shown then
  published_on date,
  -- file or URL it was read from, or the package that it came with
  origin text not null,
  sha256 bytea not null,
  row_count int4 not null,
  refused jsonb not null default '{}',
  -- came with the product; false: an operator has loaded it
  shipped boolean not null,
  loaded_at timestamptz not null,
  unique (source, scope, shipped)
);

create table carbon_zone (
  zone text primary key,
  name text not null,
  -- null: several countries, or the publisher does not say
  country_code text
);

-- A partition for each source, so that what must be shared alike is never mixed with the rest.
create table carbon_factor (
  source text not null references carbon_source,
  edition_id int8 not null references carbon_edition on delete cascade,
  zone text not null references carbon_zone,
  valid_from timestamptz not null,
  -- exclusive
  valid_to timestamptz not null check (valid_to > valid_from),
  g_per_kwh float8 not null check (g_per_kwh >= 0 and g_per_kwh <= 5000),
  basis text not null check (basis in ('direct', 'lifecycle')),
  kind text not null check (kind in ('average', 'marginal')),
  -- null: the publisher does not say which
  source_year int2,
  -- the row it came from, in the source's own words and units
  source_row text not null,
  primary key (edition_id, zone, basis, kind, valid_from, source)
) partition by list (source);

-- Zips of a state that have the same subregions, the predominant one first: `zips` are the last two digits, "01-05 07".
create table carbon_zip (
  edition_id int8 not null references carbon_edition on delete cascade,
  prefix text not null check (prefix ~ '^[0-9]{3}$'),
  state text not null,
  zones text[] not null,
  zips text not null,
  primary key (edition_id, prefix, state, zones)
);

create table carbon_region (
  edition_id int8 not null references carbon_edition on delete cascade,
  provider text not null,
  code text not null,
  name text not null,
  country_code text not null,
  zone text not null references carbon_zone,
  primary key (edition_id, provider, code)
);

-- What a country's code stands for where none is asked about.
create table carbon_default_postcode (
  edition_id int8 not null references carbon_edition on delete cascade,
  country_code text not null,
  postcode text not null,
  primary key (edition_id, country_code)
);

-- What readers may keep until it changes, by area.
create table data_version (
  area text primary key,
  version int8 not null
);
insert into data_version (area, version) values ('carbon', 1);
