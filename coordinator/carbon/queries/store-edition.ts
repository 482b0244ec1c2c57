import type { Transaction } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';
import type { Edition } from '../factors/edition.ts';
import type { Source } from '../factors/sources.ts';

interface Stored {
  id: string;
  at: Date;
}

export async function upsertSource(tx: Transaction, name: string, source: Source): Promise<void> {
  await tx`
    insert into carbon_source ${tx({ source: name, ...source })}
    on conflict (source) do update set title = excluded.title, licence = excluded.licence, credit = excluded.credit,
      share_alike = excluded.share_alike`;
  // The name is one of ours, in letters and hyphens.
  await tx.unsafe(
    `create table if not exists "carbon_factor_${name.replaceAll('-', '_')}" partition of carbon_factor for values in ('${name}')`,
  );
}

/** What is stored of that part of a source was made of these bytes. */
export async function isStored(tx: Transaction, { source, scope, shipped, sha256 }: Edition): Promise<boolean> {
  const row = maybeOne(
    await tx`
      select 1 from carbon_edition
      where source = ${source} and scope = ${scope} and shipped = ${shipped} and sha256 = ${sha256}`,
  );
  return row !== undefined;
}

/** Instead of what was stored of that part of the source. */
export async function replaceEdition(tx: Transaction, edition: Edition, { id, at }: Stored): Promise<void> {
  const { source, scope, shipped, publishedOn, origin, sha256, factors, zips, regions, zones, refused } = edition;
  const { defaultPostcodes } = edition;
  const row_count = factors.length + zips.length + regions.length + defaultPostcodes.length;
  const row = { edition_id: id, source, scope, origin, sha256, row_count, shipped, loaded_at: at };
  await tx`delete from carbon_edition where source = ${source} and scope = ${scope} and shipped = ${shipped}`;
  await tx`
    insert into carbon_edition ${tx({ ...row, published_on: publishedOn, refused: tx.json(refused) })}`;
  await tx`
    insert into carbon_zone (zone, name, country_code)
    select * from unnest(${zones.map(({ zone }) => zone)}::text[], ${zones.map(({ name }) => name)}::text[],
      ${zones.map(({ countryCode }) => countryCode)}::text[])
    on conflict (zone) do nothing`;
  await tx`
    insert into carbon_factor (source, edition_id, zone, valid_from, valid_to, g_per_kwh, basis, kind, source_year, source_row)
    select ${source}, ${id}, * from unnest(
      ${factors.map(({ zone }) => zone)}::text[], ${factors.map(({ validFrom }) => validFrom)}::timestamptz[],
      ${factors.map(({ validTo }) => validTo)}::timestamptz[], ${factors.map(({ gPerKwh }) => gPerKwh)}::float8[],
      ${factors.map(({ basis }) => basis)}::text[], ${factors.map(({ kind }) => kind)}::text[],
      ${factors.map(({ sourceYear }) => sourceYear)}::int2[], ${factors.map(({ sourceRow }) => sourceRow)}::text[])`;
  await tx`
    insert into carbon_zip (edition_id, prefix, state, zones, zips)
    select ${id}, prefix, state, string_to_array(zones, '|'), zips from unnest(
      ${zips.map(({ prefix }) => prefix)}::text[], ${zips.map(({ state }) => state)}::text[],
      ${zips.map((group) => group.zones.join('|'))}::text[], ${zips.map((group) => group.zips)}::text[])
      as given (prefix, state, zones, zips)`;
  await tx`
    insert into carbon_region (edition_id, provider, code, name, country_code, zone)
    select ${id}, * from unnest(${regions.map(({ provider }) => provider)}::text[],
      ${regions.map(({ code }) => code)}::text[], ${regions.map(({ name }) => name)}::text[],
      ${regions.map(({ countryCode }) => countryCode)}::text[], ${regions.map(({ zone }) => zone)}::text[])`;
  await tx`
    insert into carbon_default_postcode (edition_id, country_code, postcode)
    select ${id}, * from unnest(${defaultPostcodes.map(({ countryCode }) => countryCode)}::text[],
      ${defaultPostcodes.map(({ postcode }) => postcode)}::text[])`;
}
