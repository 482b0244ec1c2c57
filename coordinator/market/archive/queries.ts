import { priceTypeDescriptions } from '../../contract/price-type.ts';
import type { ArchivePart } from '../../platform/archive/archive-part.ts';
import { csvTextOf } from '../../platform/archive/csv-text.ts';
import type { Queryable, Transaction } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';
import { copyOut } from '../../platform/db/driver/copy.ts';
import { columnsOf, type SchemaVersion } from './archive-schema.ts';

export interface GpuPart extends ArchivePart {
  tier: 2 | 3;
  type: 'rental' | 'retail';
  version: SchemaVersion;
}

/** The rows of a file as CSV under its header, in an order that the same observations always give. */
export function readArchiveRows(tx: Transaction, part: GpuPart): AsyncGenerator<Buffer, void> {
  const columns = columnsOf(part.tier, part.version, part.period.interval);
  const rows = part.tier === 3 ? offerRows(part) : priceRows(part);
  // COPY takes no parameters. What stands in the text are days and names of our own making.
  const statement = `copy (select ${columns.map((name) => `"${name}"`).join(', ')} from (${rows}) rows
    order by ${orderOf(part)}) to stdout with (format csv, header)`;
  return copyOut(tx.unsafe(statement));
}

/** Days of a type that have prices. */
export async function selectPricedDays(
  sql: Queryable,
  type: 'rental' | 'retail',
  from: string,
  to: string,
): Promise<string[]> {
  const rows = await sql<{ day: string }[]>`
    select distinct day::text from daily_price
    where day between ${from} and ${to} and ${type === 'retail' ? sql`price_type >= 100` : sql`price_type < 100`} order by day`;
  return rows.map(({ day }) => day);
}

/** What the rows of a period come from: a file that was built from the same needs not be built again. */
export async function selectFingerprint(sql: Queryable, { period }: GpuPart): Promise<string> {
  const row = one(
    await sql<{ fingerprint: string }[]>`
    select md5(concat(
      (select string_agg(id::text, ',' order by id) from ingest_run
        where replaced_by is null and first_day <= ${period.lastDay} and last_day >= ${period.firstDay}),
      (select string_agg(day || ' ' || rules, ',' order by day) from priced_day
        where day between ${period.firstDay} and ${period.lastDay}),
      (select max(id) from restatement where day between ${period.firstDay} and ${period.lastDay}),
      (select string_agg(md5(p::text), ',' order by product_id) from product p),
      (select string_agg(md5(p::text), ',' order by provider_id) from provider p))) as fingerprint`,
  );
  return row.fingerprint;
}

/**
 * Products and providers as text for a file: once for each, not once for each of its offers. `offset 0` keeps the planner
 * from working it out row by row; a common table expression would too, but takes no part in parallel plans.
 */
const product = `(
    select product_id, ${texts('chip', 'name', 'manufacturer', 'slug', 'accelerator_type')} from product offset 0) d`;
const provider = `(select provider_id, ${texts('name', 'provider_source_type')} from provider offset 0) p`;

function texts(...columns: string[]): string {
  return columns.map((name) => `${csvTextOf(name)} as ${name}`).join(', ');
}

const between = (column: string, { period }: GpuPart): string =>
  column === 'day'
    ? `day between '${period.firstDay}' and '${period.lastDay}'`
    : `${column} >= '${period.firstDay}' and ${column} < date '${period.lastDay}' + 1`;

const ofType = ({ type }: GpuPart): string =>
  type === 'retail' ? 'price_type >= 100' : 'price_type < 100 and price_type not in (24, 36)';

const description = `case price_type ${Object.entries(priceTypeDescriptions)
  .map(([value, text]) => `when ${value} then '${text}'`)
  .join(' ')} end`;

/** Every offer. */
const offerRows = (part: GpuPart): string => `
  select (observed_at at time zone 'UTC')::date as date, o.product_id, d.chip, d.name, d.manufacturer, p.name as provider,
    p.provider_source_type, coalesce(o.country, 'unknown') as country, ${csvTextOf('o.region')} as region, ${csvTextOf('o.offer')} as instance, o.gpu_count as num_gpus,
    price_type, ${description} as price_type_description, round(o.price::numeric, 6) as price, d.slug as product_slug,
    d.manufacturer as vendor, d.accelerator_type, o.cluster_size, o.run_id, o.observed_at
  from observation o join ${product} using (product_id) join ${provider} using (provider_id)
  where ${between('observed_at', part)} and ${ofType(part)}`;

/**
 * Prices by country: the mean of the providers' votes of a day, over more days the mean of the daily means. After the
 * change by type of provider too, with `Average` over all.
 */
function priceRows(part: GpuPart): string {
  const { version, period } = part;
  const sourceType = version === 'first' ? "'Average'" : "coalesce(p.provider_source_type, 'Average')";
  const byType = version === 'first' ? '' : ', (v.day, v.product_id, v.country, v.price_type, p.provider_source_type)';
  const name = period.interval === 'day' ? 'date' : period.interval;
  return `
    select '${period.name}' as ${name}, product_id, d.chip, d.name, d.manufacturer,
      case country when 'ZZ' then 'unknown' else country end as country, price_type, ${description} as price_type_description,
      price_type as type, ${description} as type_description, round(avg(daily.price)::numeric, 6) as price,
      d.slug as product_slug, daily.provider_source_type
    from (
      select v.day, v.product_id, v.country, v.price_type, ${sourceType} as provider_source_type,
        avg(v.price) as price
      from provider_price v join ${provider} using (provider_id)
      where v.country <> '' and v.segment = '' and not v.outlier and ${between('day', part)} and ${ofType(part)}
      group by grouping sets ((v.day, v.product_id, v.country, v.price_type)${byType})
    ) daily join ${product} using (product_id)
    group by product_id, d.chip, d.name, d.manufacturer, country, price_type, d.slug, daily.provider_source_type`;
}

function orderOf({ tier, version }: GpuPart): string {
  if (tier === 3)
    return 'date, product_id, price_type, provider, country, region, instance, num_gpus, price, cluster_size';
  return version === 'first' ? 'product_id, country, price_type' : 'product_slug, country, type, provider_source_type';
}
