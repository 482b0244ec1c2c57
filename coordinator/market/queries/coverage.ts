import type { Transaction } from '../../platform/db/client.ts';

export interface CoveredRow {
  rows: number;
  products: number;
  providers: number;
  drop_accepted: boolean;
}

/** Standing readings of a part of a source that end before a day and have about as many days, the last of them first. */
export async function selectEarlierCoverage(
  tx: Transaction,
  {
    source,
    scope,
    before,
    days,
    most,
  }: { source: string; scope: string; before: string | null; days: number; most: number },
): Promise<CoveredRow[]> {
  return tx<CoveredRow[]>`
    select rows_kept::float8 as rows, products, providers, drop_accepted from ingest_run
    where source = ${source} and scope = ${scope} and replaced_by is null and products is not null
      and last_day is not null and (${before}::date is null or last_day < ${before}::date)
      and days * 2 >= ${days} and days <= ${days} * 2
    order by last_day desc, id desc limit ${most}`;
}
