import type { Fragment } from 'postgres';
import type { LinkStatus, LinkVerdict } from '../../contract/cluster-network.ts';
import type { NetworkTransport } from '../../contract/network-config.ts';
import type { NetworkReport } from '../../contract/network-protocol.ts';
import type { Queryable } from '../../platform/db/client.ts';
import type { RunKey } from '../run-row.ts';
import type { Direction } from '../verdict/run-verdict.ts';

export type SlotReport = Extract<NetworkReport, { kind: 'slot' }>;

/** One attempt at a link, a row of network_link. */
export interface LinkRow {
  /** number of the pair, see schedule/pair-number.ts */
  link: number;
  attempt: number;
  /** planned a second time, because an end missed the first slot */
  repeated: boolean;
  phase: 'preflight' | 'ring' | 'rounds' | 'retests';
  round: number | null;
  /** seats; source < target */
  source: number;
  target: number;
  /** null if the link was never measured */
  dialer: number | null;
  /** of the listener */
  address: string | null;
  port: number | null;
  dialer_address: string | null;
  transport: NetworkTransport;
  streams: number | null;
  concurrent_links: number | null;
  starts_at: Date | null;
  slot_ms: number | null;
  /** null until both ends have reported or the deadline has passed; recomputed from the reports: no table of transitions */
  status: LinkStatus | null;
  source_report: SlotReport | null;
  target_report: SlotReport | null;
  verdict: LinkVerdict | null;
  expected_forward_gbps: number | null;
  expected_reverse_gbps: number | null;
  /** number of rates behind the expected rate of that direction; null also for links judged before it was recorded */
  expected_forward_rates: number | null;
  expected_reverse_rates: number | null;
}

/** The columns that a link's verdict fills in all its attempts. */
type Judged = 'verdict' | `expected_${Direction}_${'gbps' | 'rates'}`;
export type JudgedRow = Pick<LinkRow, 'link' | Judged>;

/** An attempt at a link to be planned, or recorded as impossible. */
export type NewLink = Omit<LinkRow, 'repeated' | 'starts_at' | 'source_report' | 'target_report' | Judged> & {
  starts_at_ms: number | null;
};

/** Inserts the attempts with the plan's number. Existing ones stay: only `repeatLinks` plans one again. */
export async function insertLinks(
  sql: Queryable,
  key: RunKey,
  sequence: number,
  links: readonly NewLink[],
): Promise<void> {
  if (links.length === 0) return;
  await sql`
    insert into network_link (job_id, item, sequence, link, attempt, phase, round, source, target, dialer, address, port,
      dialer_address, transport, streams, concurrent_links, starts_at, slot_ms, status, version)
    select ${key.jobId}, ${key.item}, ${sequence}, l.link, l.attempt, l.phase, l.round, l.source, l.target, l.dialer,
      l.address, l.port, l.dialer_address, l.transport, l.streams, l.concurrent_links,
      to_timestamp(l.starts_at_ms / 1000), l.slot_ms, l.status,
      case when l.status is null then 0 else pg_current_xact_id()::text::int8 end
    from jsonb_to_recordset(${sql.json(links)}) as l (link int, attempt int, phase text, round int,
      source int, target int, dialer int, address text, port int, dialer_address text, transport text, streams int,
      concurrent_links int, starts_at_ms float8, slot_ms float8, status text)
    on conflict (job_id, item, link, attempt) do nothing`;
}

/** A slot as sent to its two ends. */
export type SlotRow = Omit<LinkRow, 'starts_at' | 'status' | 'source_report' | 'target_report' | Judged> & {
  sequence: number;
  starts_at_ms: number;
  slot_ms: number;
  dialer: number;
};

/** The slots of a plan and of the one before it, in the order in which they begin. */
export async function selectSlots(sql: Queryable, key: RunKey, sequence: number): Promise<SlotRow[]> {
  return sql<SlotRow[]>`
    select sequence, link, attempt, repeated, phase, round, source, target, dialer, address, port, dialer_address, transport, streams,
      concurrent_links, (extract(epoch from starts_at) * 1000)::float8 as starts_at_ms, slot_ms
    from network_link
    where job_id = ${key.jobId} and item = ${key.item} and sequence in (${sequence - 1}, ${sequence})
      and starts_at is not null
    order by starts_at, link`;
}

/** Every column of `LinkRow`. */
export const linkColumns = (sql: Queryable): Fragment => sql`
  link, attempt, repeated, phase, round, source, target, dialer, address, port, dialer_address, transport, streams,
  concurrent_links, starts_at, slot_ms, status, source_report, target_report, verdict, expected_forward_gbps,
  expected_reverse_gbps, expected_forward_rates, expected_reverse_rates`;

export async function selectLinks(sql: Queryable, key: RunKey): Promise<LinkRow[]> {
  return sql<LinkRow[]>`
    select ${linkColumns(sql)} from network_link
    where job_id = ${key.jobId} and item = ${key.item} order by link, attempt`;
}

/**
 * Locks the given attempts that have a slot, always in the same order, so that reports of the two ends cannot deadlock.
 * Each is looked up by its key: a locking subquery is never merged into a join over all rows of the run, and it has no
 * other condition for which the planner, without statistics, might prefer another index.
 */
export async function lockLinks(
  sql: Queryable,
  key: RunKey,
  named: readonly { link: number; attempt: number }[],
): Promise<LinkRow[]> {
  const ordered = named.toSorted((a, b) => a.link - b.link || a.attempt - b.attempt);
  const rows = await sql<LinkRow[]>`
    select locked.* from unnest(${ordered.map((one) => one.link)}::int[], ${ordered.map((one) => one.attempt)}::int[])
      as named (link, attempt)
    cross join lateral (
      select ${linkColumns(sql)} from network_link l
      where l.job_id = ${key.jobId} and l.item = ${key.item} and l.link = named.link and l.attempt = named.attempt
      for no key update
    ) locked`;
  return rows.filter((row) => row.starts_at !== null);
}

/** Locks all attempts of a run, in the same order as reports do. */
export async function lockAllLinks(sql: Queryable, key: RunKey): Promise<void> {
  await sql`
    select count(*) from (
      select from network_link where job_id = ${key.jobId} and item = ${key.item} order by link, attempt for no key update
    ) locked`;
}

/** Attempts of these plans, both limits included, for which an end has not reported. */
export async function lockUnsettled(
  sql: Queryable,
  key: RunKey,
  { from, through }: { from: number; through: number },
): Promise<LinkRow[]> {
  return sql<LinkRow[]>`
    select ${linkColumns(sql)} from network_link
    where job_id = ${key.jobId} and item = ${key.item} and starts_at is not null and status is null
      and sequence between ${from} and ${through}
    order by link, attempt
    for no key update`;
}

/** Failed attempts of plan `from` and later ones for which a lost node has not reported. */
export async function lockFailedOf(
  sql: Queryable,
  key: RunKey,
  { lost, from }: { lost: number[]; from: number },
): Promise<LinkRow[]> {
  return sql<LinkRow[]>`
    select ${linkColumns(sql)} from network_link
    where job_id = ${key.jobId} and item = ${key.item} and starts_at is not null and sequence >= ${from}
      and status not in ('ok', 'node_lost')
      and ((source = any(${lost}::int[]) and source_report is null) or (target = any(${lost}::int[]) and target_report is null))
    order by link, attempt
    for no key update`;
}

export interface ReportedLink {
  link: number;
  attempt: number;
  /** null: nothing new from that end */
  source_report: unknown;
  target_report: unknown;
  status: LinkStatus | null;
}

/**
 * Writes the results of locked attempts. An existing report stays. One statement per row, by its key and pipelined: see
 * `lockLinks` for why not a join. An attempt becomes visible to readers of changes once it has a status; before that no
 * indexed column changes, so the update is in place (HOT).
 */
export async function updateReported(sql: Queryable, key: RunKey, links: readonly ReportedLink[]): Promise<void> {
  const json = (report: unknown) => (report === null ? null : sql.json(report));
  await Promise.all(
    links.map(
      ({ link, attempt, source_report, target_report, status }) => sql`
        update network_link set source_report = coalesce(source_report, ${json(source_report)}::jsonb),
          target_report = coalesce(target_report, ${json(target_report)}::jsonb), status = ${status},
          version = case when ${status}::text is null then version else pg_current_xact_id()::text::int8 end
        where job_id = ${key.jobId} and item = ${key.item} and link = ${link} and attempt = ${attempt}`,
    ),
  );
}

/** First attempts of the rounds, not repeated yet, that failed and for which an end reported one of these codes. */
export async function lockMissed(sql: Queryable, key: RunKey, codes: readonly string[]): Promise<LinkRow[]> {
  return sql<LinkRow[]>`
    select ${linkColumns(sql)} from network_link
    where job_id = ${key.jobId} and item = ${key.item} and phase = 'rounds' and not repeated and starts_at is not null
      and status not in ('ok', 'node_lost')
      and (source_report ->> 'code' = any(${[...codes]}::text[]) or target_report ->> 'code' = any(${[...codes]}::text[]))
    order by link, attempt
    for no key update`;
}

/** Plans locked attempts again in place, and deletes the reports of their previous slots. */
export async function repeatLinks(
  sql: Queryable,
  key: RunKey,
  sequence: number,
  links: readonly NewLink[],
): Promise<void> {
  await sql`
    update network_link l set repeated = true, sequence = ${sequence}, status = null, source_report = null,
      target_report = null, version = 0, dialer = n.dialer, address = n.address, port = n.port,
      dialer_address = n.dialer_address, streams = n.streams, concurrent_links = n.concurrent_links,
      starts_at = to_timestamp(n.starts_at_ms / 1000), slot_ms = n.slot_ms
    from jsonb_to_recordset(${sql.json(links)}) as n (link int, attempt int, dialer int, address text, port int,
      dialer_address text, streams int, concurrent_links int, starts_at_ms float8, slot_ms float8)
    where l.job_id = ${key.jobId} and l.item = ${key.item} and l.link = n.link and l.attempt = n.attempt`;
}

/** The nodes, without duplicates, that have not reported on a slot of this plan. */
export async function selectSilentEnds(sql: Queryable, key: RunKey, sequence: number): Promise<number[]> {
  const rows = await sql<{ node: number }[]>`
    select distinct node from (
      select source as node from network_link
      where job_id = ${key.jobId} and item = ${key.item} and sequence = ${sequence} and starts_at is not null and source_report is null
      union all
      select target from network_link
      where job_id = ${key.jobId} and item = ${key.item} and sequence = ${sequence} and starts_at is not null and target_report is null
    ) silent order by node`;
  return rows.map(({ node }) => node);
}

/** Writes the verdicts of links to all their attempts. */
export async function updateVerdicts(sql: Queryable, key: RunKey, verdicts: readonly JudgedRow[]): Promise<void> {
  if (verdicts.length === 0) return;
  await sql`
    update network_link l set verdict = n.verdict, expected_forward_gbps = n.expected_forward_gbps,
      expected_reverse_gbps = n.expected_reverse_gbps, expected_forward_rates = n.expected_forward_rates,
      expected_reverse_rates = n.expected_reverse_rates
    from jsonb_to_recordset(${sql.json(verdicts)}) as n (link int, verdict text, expected_forward_gbps float8,
      expected_reverse_gbps float8, expected_forward_rates int, expected_reverse_rates int)
    where l.job_id = ${key.jobId} and l.item = ${key.item} and l.link = n.link and l.phase <> 'ring'`;
}
