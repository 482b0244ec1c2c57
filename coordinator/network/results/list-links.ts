import type { LinkMeasurement } from '../../contract/cluster-network.ts';
import type { LinkPage, ListLinksQuery } from '../../contract/network-link-routes.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { csvDownload } from '../../platform/csv-download.ts';
import { notFound, invalidQuery } from '../../platform/errors.ts';
import { linkCsvHeader, linkCsvRecord } from './link-csv.ts';
import type { LinkRow } from '../queries/links.ts';
import { measurementOnWire } from './measurement-on-wire.ts';
import { nodeName } from './network-nodes.ts';
import { lastNetworkItem, NETWORK } from './network-run.ts';
import { countLinks, findSequence, selectLinkPage, selectLinksAfter, selectSeats, type SeatRow } from './queries.ts';
import type { RunKey } from '../run-row.ts';

/** CSV rows per chunk: about half a megabyte, so that a download never holds the whole table in memory. */
const CSV_ROWS = 1000;

/**
 * The attempts at the links of one cluster_network of a job: a page as JSON, or all as CSV. Empty before its links are
 * measured. Throws `not_found`, also for another customer's job, and `validation` if the item is another benchmark.
 */
export async function listLinks(context: Context, jobId: string, query: ListLinksQuery): Promise<LinkPage | Response> {
  const job = await findSequence(context.sql, { id: jobId, customerId: visibleCustomer(context.actor) });
  if (!job) throw notFound('Job');
  const item = query.item ?? lastNetworkItem(job.benchmark_sequence) ?? 0;
  if (query.item !== undefined && job.benchmark_sequence[item]?.benchmark_id !== NETWORK)
    throw invalidQuery('item', `${item} is not a ${NETWORK} of this job`);
  const run: RunKey = { jobId, item };
  const seats = await selectSeats(context.sql, run);
  return query.format === 'csv' ? csvOf(context, run, seats, query) : pageOf(context, run, seats, query);
}

async function pageOf({ sql }: Context, run: RunKey, seats: SeatRow[], query: ListLinksQuery): Promise<LinkPage> {
  const { page, per_page } = query;
  const [total, rows] = await Promise.all([countLinks(sql, run, query), selectLinkPage(sql, run, query)]);
  return {
    results: rows.map((row): LinkMeasurement => measurementOnWire(row, seats)),
    pagination: {
      total,
      page,
      per_page,
      total_pages: Math.ceil(total / per_page),
      has_next: page * per_page < total,
      has_prev: page > 1,
    },
  };
}

function csvOf({ sql }: Context, run: RunKey, seats: SeatRow[], query: ListLinksQuery): Response {
  const names = seats.map(nodeName);
  return csvDownload<LinkRow>({
    fileName: `gpumark-job-${run.jobId}-links-${run.item}.csv`,
    head: linkCsvHeader(),
    atOnce: CSV_ROWS,
    rowsAfter: (last) => {
      const { link, attempt } = last ?? { link: -1, attempt: 0 };
      return selectLinksAfter(sql, run, query, { link, attempt, limit: CSV_ROWS });
    },
    record: (row) => linkCsvRecord(measurementOnWire(row, seats), (node) => names[node] ?? ''),
  });
}
