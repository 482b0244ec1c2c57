import type { Writable } from 'node:stream';
import type { Transaction } from '../../platform/db/client.ts';

/** A table of this transaction alone, filled by COPY: nothing is in `observation` before the whole file was read. */
export async function openStaging(tx: Transaction): Promise<Writable> {
  await tx`create temporary table observation_staging (like observation including defaults) on commit drop`;
  return tx`
    copy observation_staging (observed_at, run_id, product_id, provider_id, price_type, country, region, price,
      original_price, currency, rate, gpu_count, cluster_size, offer) from stdin`.writable();
}

export async function selectStagedDays(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ day: string }[]>`
    select distinct (observed_at at time zone 'UTC')::date as day from observation_staging order by day`;
  return rows.map(({ day }) => day);
}

/** Months and years of these days that lack their partition get one. In a transaction of its own: it locks what it makes. */
export async function addPartitions(tx: Transaction, months: readonly string[]): Promise<void> {
  await tx`
    select add_market_partition('observation', 'observation_' || to_char(month, 'YYYY_MM'), month,
      (month + interval '1 month')::date)
    from unnest(${months.map((month) => `${month}-01`)}::date[]) as month`;
  const years = [...new Set(months.map((month) => `${month.slice(0, 4)}-01-01`))];
  await tx`
    select add_market_partition(parent, parent || '_' || to_char(year, 'YYYY'), year, (year + interval '1 year')::date)
    from unnest(${years}::date[]) as year, unnest(array['provider_price', 'daily_price']) as parent`;
}

/** Takes away what earlier runs of this part of the source said of these days. */
export async function deleteReplaced(
  tx: Transaction,
  { source, scope, days }: { source: string; scope: string; days: readonly string[] },
): Promise<string> {
  const earlier = await tx<{ id: string }[]>`select id from ingest_run where source = ${source} and scope = ${scope}`;
  if (earlier.length === 0) return '0';
  // A day at a time: the index over time finds its blocks, and partitions without that day are not touched.
  const counts = await Promise.all(
    days.map(
      (day) => tx<{ n: string }[]>`
        with gone as (
          delete from observation
          where observed_at >= ${day}::date and observed_at < ${day}::date + 1
            and run_id = any(${earlier.map(({ id }) => id)}::int8[])
          returning 1
        )
        select count(*) as n from gone`,
    ),
  );
  return String(counts.reduce((sum, [row]) => sum + Number(row?.n ?? 0), 0));
}

export async function moveStaged(tx: Transaction): Promise<void> {
  await tx`insert into observation select * from observation_staging order by observed_at`;
}
