import type { Transaction } from '../../platform/db/client.ts';
import { storable } from '../../platform/readings/storable.ts';
import type { Observation, Priced } from '../observation.ts';
import { copyIn, type CopyIn } from '../../platform/db/driver/copy.ts';

/** Columns of the copied lines, in order. */
export const observationColumns = `observed_at, run_id, price, original_price, rate, row, row_hash, product_id, provider_id,
  price_type, country, region, currency, gpu_count, cluster_size, offer, sized, segment, doubt, label, evidence`;

/**
 * Writes lines for `COPY ... FROM STDIN` in its text format. Repeated parts, the time and what is priced, are formatted
 * once.
 */
export function lineWriter(runId: string): (row: Observation) => string {
  let time: Date | null = null;
  let head = '';
  return ({ observedAt, price, originalPrice, rate, row, rowHash, priced }) => {
    if (observedAt !== time) {
      time = observedAt;
      head = `${time.toISOString()}\t${runId}`;
    }
    priced.line ??= lineOf(priced);
    const inUsd = String(price);
    const original = originalPrice === price ? inUsd : String(originalPrice);
    return `${head}\t${inUsd}\t${original}\t${rate}\t${row}\t\\\\x${rowHash}\t${priced.line}`;
  };
}

const lineOf = (priced: Priced): string =>
  [
    priced.productId,
    priced.providerId,
    priced.priceType,
    field(priced.country),
    field(priced.region),
    priced.currency,
    priced.gpuCount,
    priced.clusterSize,
    field(priced.offer),
    priced.sized ? 't' : 'f',
    field(priced.segment),
    field(priced.doubt),
    field(priced.label),
    field(priced.evidence),
  ].join('\t') + '\n';

/** Matches nearly every value: nothing to escape, and nothing that Postgres cannot store. */
const PLAIN = /^[\x20-\x5B\x5D-\x7E]*$/;
const SPECIAL = /[\\\t\n\r]/g;
const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function field(value: string | null): string {
  if (value === null) return '\\N';
  if (PLAIN.test(value)) return value;
  return storable(value).replace(SPECIAL, (character) => ESCAPED[character] ?? '');
}

/** Copies rows whose months have their partition. */
export const copyObservations = (tx: Transaction): Promise<CopyIn> =>
  copyIn(tx.unsafe(`copy observation (${observationColumns}) from stdin`));

/** The same into a temporary table of this transaction. */
export async function copyToStaging(tx: Transaction): Promise<CopyIn> {
  await tx`create temporary table observation_staging (like observation including defaults) on commit drop`;
  return copyIn(tx.unsafe(`copy observation_staging (${observationColumns}) from stdin`));
}

/** In order of time: the BRIN index can separate days only if the blocks of each are adjacent. */
export async function moveStaged(tx: Transaction): Promise<void> {
  await tx`insert into observation (${tx.unsafe(observationColumns)}) select ${tx.unsafe(observationColumns)} from observation_staging order by observed_at`;
}

/**
 * Adds the missing partitions for these months and their years. In a transaction of its own, because it locks what it
 * creates. Takes the lock that attaching needs first: a transaction that waited for it sees the partitions the other
 * one created, and none holds the lock of one name while it waits for another.
 */
export async function addPartitions(tx: Transaction, months: readonly string[]): Promise<void> {
  if (months.length === 0) return;
  await tx`set local lock_timeout = '20s'`;
  await tx`lock table only observation in share update exclusive mode`;
  await tx`
    select add_market_partition('observation', 'observation_' || to_char(month, 'YYYY_MM'), month,
      (month + interval '1 month')::date)
    from unnest(${months.map((month) => `${month}-01`)}::date[]) as month`;
  const years = [...new Set(months.map((month) => `${month.slice(0, 4)}-01-01`))];
  await tx`
    select add_market_partition(parent, parent || '_' || to_char(year, 'YYYY'), year, (year + interval '1 year')::date)
    from unnest(${years}::date[]) as year, unnest(array['provider_price', 'daily_price']) as parent`;
}

/**
 * Makes the BRIN index over time cover blocks that were just written; until then it returns all of them for any day.
 * Includes rows that other transactions have not committed yet. In a transaction of its own, because it locks out
 * vacuum.
 */
export async function summariseTimes(tx: Transaction, months: readonly string[]): Promise<void> {
  // Reads everything that was just written.
  await tx`set local statement_timeout = 0`;
  await tx`
    select brin_summarize_new_values(i.indexrelid)
    from unnest(${months.map((month) => `${month}-01`)}::date[]) as month
    join pg_index i on i.indrelid = to_regclass('observation_' || to_char(month, 'YYYY_MM'))
    join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam and a.amname = 'brin'`;
}

/**
 * For the rest of the transaction. The planner has no statistics for a month that was just filled: it would read all of
 * it for each of its days instead of using the BRIN index, and sort the rows of a day to count a few hundred groups.
 */
export async function planForFreshMonths(tx: Transaction): Promise<void> {
  await tx`set local enable_seqscan = off`;
  await tx`set local enable_sort = off`;
  // A day has some thousand offers; the planner expects four rows and would spill them to disk in five parts.
  await tx`set local work_mem = '64MB'`;
}
