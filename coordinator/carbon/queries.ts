import type { Transaction, Queryable } from '../platform/db/client.ts';
import { maybeOne } from '../platform/db/rows.ts';
import type { Counts } from '../platform/readings/coverage.ts';
import { markReplaced } from '../platform/readings/queries.ts';
import { setAside, type ReadingTable } from '../platform/readings/queries/replaced-rows.ts';
import { rowsOf, type Edition, type DefaultPostcode, type Region, type ZipGroup } from './factors/edition.ts';
import type { Source } from './factors/sources.ts';
import type { StoredFactor } from './factors/factor.ts';

interface Stored {
  id: string;
  at: Date;
}

export async function upsertSource(tx: Transaction, name: string, source: Source): Promise<void> {
  await tx`
    insert into carbon_source ${tx({ source: name, ...source })}
    on conflict (source) do update set title = excluded.title, licence = excluded.licence, credit = excluded.credit,
      share_alike = excluded.share_alike`;
  // The name is one of our own, of letters and hyphens only.
  await tx.unsafe(
    `create table if not exists "carbon_factor_${name.replaceAll('-', '_')}" partition of carbon_factor for values in ('${name}')`,
  );
}

/** Whether the stored edition of this source and scope was made from the same bytes. */
export async function isStored(tx: Transaction, { source, scope, shipped, sha256 }: Edition): Promise<boolean> {
  const row = maybeOne(
    await tx`
      select 1 from carbon_edition
      where source = ${source} and scope = ${scope} and shipped = ${shipped} and sha256 = ${sha256}`,
  );
  return row !== undefined;
}

/** Tables of an edition, each after those that it refers to. */
export const editionTables: readonly ReadingTable[] = [
  'carbon_edition',
  'carbon_factor',
  'carbon_zip',
  'carbon_region',
  'carbon_default_postcode',
].map((name) => ({ name, run: 'edition_id' }));

/** Takes an edition out and keeps it as replaced by `by`; returns the number of its rows, without the edition itself. */
export async function setEditionAside(tx: Transaction, id: string, by: string): Promise<number> {
  let rows = 0;
  for (const table of editionTables.toReversed())
    rows += (await setAside(tx, table, { by, which: tx`edition_id = ${id}` })).get(id) ?? 0;
  return rows - 1;
}

/** An edition is replaced as a whole. */
export const markEditionReplaced = (
  tx: Transaction,
  { id, rows, by }: { id: string; rows: number; by: string },
): Promise<void> => markReplaced(tx, { rows: new Map([[id, rows]]), by, isEmpty: tx`true` });

interface StandingEdition {
  edition_id: string;
  shipped: boolean;
  counts: Counts;
}

/** The editions of a source and scope that are in force, loaded before shipped, and how much each has. */
export async function selectStandingEditions(
  tx: Transaction,
  { source, scope }: Pick<Edition, 'source' | 'scope'>,
): Promise<StandingEdition[]> {
  return tx<StandingEdition[]>`
    select edition_id, shipped, jsonb_build_object(
      'factors', (select count(*) from carbon_factor f where f.source = e.source and f.edition_id = e.edition_id),
      'groups of zips', (select count(*) from carbon_zip z where z.edition_id = e.edition_id),
      'regions', (select count(*) from carbon_region r where r.edition_id = e.edition_id),
      'post codes', (select count(*) from carbon_default_postcode p where p.edition_id = e.edition_id)) as counts
    from carbon_edition e where source = ${source} and scope = ${scope} order by shipped`;
}

/** Deletes the shipped edition of this source and scope; one that an operator loaded is set aside instead. */
export async function deleteShipped(
  tx: Transaction,
  { source, scope }: Pick<Edition, 'source' | 'scope'>,
): Promise<void> {
  await tx`delete from carbon_edition where source = ${source} and scope = ${scope} and shipped`;
}

export async function insertEdition(tx: Transaction, edition: Edition, { id, at }: Stored): Promise<void> {
  const { zones, factors, zips, regions, defaultPostcodes, refused, ...row } = edition;
  const about = { edition_id: id, row_count: rowsOf(edition), loaded_at: at, refused: tx.json(refused) };
  // Members without a column in the table are ignored.
  const rows = (all: readonly object[]) => tx.json(all.map((one) => ({ source: row.source, edition_id: id, ...one })));
  await tx`insert into carbon_edition ${tx({ ...row, ...about })}`;
  await tx`
    insert into carbon_zone select * from jsonb_populate_recordset(null::carbon_zone, ${rows(zones)})
    on conflict (zone) do nothing`;
  await tx`insert into carbon_factor select * from jsonb_populate_recordset(null::carbon_factor, ${rows(factors)})`;
  await tx`insert into carbon_zip select * from jsonb_populate_recordset(null::carbon_zip, ${rows(zips)})`;
  await tx`insert into carbon_region select * from jsonb_populate_recordset(null::carbon_region, ${rows(regions)})`;
  await tx`
    insert into carbon_default_postcode
    select * from jsonb_populate_recordset(null::carbon_default_postcode, ${rows(defaultPostcodes)})`;
}

export async function selectFactors(sql: Queryable): Promise<StoredFactor[]> {
  return sql<StoredFactor[]>`
    select zone, valid_from, valid_to, g_per_kwh, basis, kind, source_year, source_row, source, scope, title, licence, credit,
      origin, published_on::text, shipped, loaded_at
    from carbon_factor join carbon_edition using (edition_id, source) join carbon_source using (source)
    order by zone, valid_from desc`;
}

export async function selectZones(
  sql: Queryable,
): Promise<{ zone: string; name: string; country_code: string | null }[]> {
  return sql`select zone, name, country_code from carbon_zone`;
}

/** From one table only, the one loaded last, else ours: a zip that it no longer has must not be found in another. */
export async function selectZips(sql: Queryable): Promise<ZipGroup[]> {
  return sql<ZipGroup[]>`
    select prefix, state, zones, zips from carbon_zip where edition_id = (
      select edition_id from carbon_edition where source = 'epa-zips' order by shipped, loaded_at desc limit 1)
    order by prefix, state, zones`;
}

/** Loaded regions take precedence over ours. */
export async function selectRegions(sql: Queryable): Promise<Region[]> {
  return sql<Region[]>`
    select distinct on (provider, code) provider, code, name, country_code, zone
    from carbon_region join carbon_edition using (edition_id) order by provider, code, shipped, loaded_at desc`;
}

export async function selectDefaultPostcodes(sql: Queryable): Promise<DefaultPostcode[]> {
  return sql<DefaultPostcode[]>`
    select distinct on (country_code) country_code, postcode
    from carbon_default_postcode join carbon_edition using (edition_id) order by country_code, shipped, loaded_at desc`;
}
