import type { Queryable } from '../../platform/db/client.ts';
import type { DefaultPostcode, Region, ZipGroup } from '../factors/edition.ts';
import type { StoredFactor } from '../factors/factor.ts';

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

/** Of one table alone, the last that was loaded, else ours: a zip that it no longer has is not to be found in another. */
export async function selectZips(sql: Queryable): Promise<ZipGroup[]> {
  return sql<ZipGroup[]>`
    select prefix, state, zones, zips from carbon_zip where edition_id = (
      select edition_id from carbon_edition where source = 'epa-zips' order by shipped, loaded_at desc limit 1)
    order by prefix, state, zones`;
}

/** What was loaded goes before ours. */
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
