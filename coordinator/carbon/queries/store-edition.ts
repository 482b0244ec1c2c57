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
  const { zones, factors, zips, regions, defaultPostcodes, refused, ...row } = edition;
  const { source, scope, shipped } = row;
  const row_count = factors.length + zips.length + regions.length + defaultPostcodes.length;
  const about = { edition_id: id, row_count, loaded_at: at, refused: tx.json(refused) };
  const rows = (all: readonly object[]) => tx.json(all.map((one) => ({ source, edition_id: id, ...one })));
  await tx`delete from carbon_edition where source = ${source} and scope = ${scope} and shipped = ${shipped}`;
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
