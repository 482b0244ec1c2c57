import { listLinks } from '../../network/results/list-links.ts';
import type { z } from 'zod';
import { linkStatus, linkVerdict, type LinkMeasurement } from '../../contract/cluster-network.ts';
import { jobLimits } from '../../contract/job.ts';
import { networkLimits } from '../../contract/network-config.ts';
import { listLinksQuery, type LinkPage } from '../../contract/network-link-routes.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { field, select } from '../components/field.ts';
import { digits } from '../components/numbers.ts';
import { status, type Tone } from '../components/status.ts';
import { asked, filled } from '../frame/asked.ts';
import { html, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { allPages, tableOf, type Listing, type WholeList } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import { type Visit, idOf } from '../frame/visit.ts';
import { jobNow } from './job-now.ts';

const shown = (value: number | null): string => (value === null ? '–' : value.toPrecision(3));

/** As the judgement grades a link: what was seen once, or comes and goes, is to be checked. */
const toneOf = (verdict: LinkMeasurement['verdict']): Tone =>
  verdict === null ? 'none' : verdict === 'unconfirmed' || verdict === 'unstable' ? 'warn' : 'bad';

/** Nodes by number: shared pages may show no more, and the matrix uses numbers too. */
const links = tableOf<LinkMeasurement>([
  { name: 'link', label: 'Link', value: (row) => `${row.source_node} to ${row.target_node}` },
  { name: 'link_id', label: 'Id', value: (row) => row.link_id, isHidden: true },
  { name: 'attempt', label: 'Attempt', isNumber: true, value: (row) => row.attempt },
  {
    name: 'forward_gbps',
    label: 'There, Gb/s',
    isNumber: true,
    value: (row) => row.forward_gbps,
    cell: (row) => shown(row.forward_gbps),
  },
  {
    name: 'reverse_gbps',
    label: 'Back, Gb/s',
    isNumber: true,
    value: (row) => row.reverse_gbps,
    cell: (row) => shown(row.reverse_gbps),
  },
  {
    name: 'bandwidth_gbps',
    label: 'Smaller, Gb/s',
    sort: 'bandwidth_gbps',
    isNumber: true,
    value: (row) => row.bandwidth_gbps,
    cell: (row) => shown(row.bandwidth_gbps),
  },
  {
    name: 'window_ms',
    label: 'Mean window of the two rates, ms',
    isNumber: true,
    value: (row) => row.window_ms,
    // Each direction of an attempt is measured once, in one window.
    cell: (row) => (row.window_ms === null ? '–' : `${digits(row.window_ms)}, n 1`),
  },
  { name: 'windows', label: 'Windows', value: (row) => (row.window_ms === null ? null : 1), isHidden: true },
  {
    name: 'expected_forward_gbps',
    label: 'Expected there, Gb/s',
    isNumber: true,
    value: (row) => row.expected_forward_gbps,
    cell: (row) => shown(row.expected_forward_gbps),
  },
  {
    name: 'expected_forward_rates',
    label: 'Rates behind it',
    isNumber: true,
    value: (row) => row.expected_forward_rates,
  },
  {
    name: 'latency_us',
    label: 'Half round trip, µs',
    sort: 'latency_us',
    isNumber: true,
    value: (row) => row.latency_us,
    cell: (row) => (row.latency_us === null ? '–' : `${row.latency_us.toPrecision(3)}, n ${row.rtt_us?.samples ?? 0}`),
  },
  { name: 'rtt_samples', label: 'Round trips', value: (row) => row.rtt_us?.samples ?? null, isHidden: true },
  { name: 'status', label: 'Status', value: (row) => row.status },
  {
    name: 'verdict',
    label: 'Verdict',
    value: (row) => row.verdict,
    cell: (row) =>
      row.verdict === 'good'
        ? status('ok', 'good')
        : status(toneOf(row.verdict), (row.verdict ?? 'not judged').replaceAll('_', ' ')),
  },
]);

/** Rows per page. */
const MOST_ROWS = 100;

const linksAsked = listLinksQuery.omit({ format: true });

async function read(
  { context, params, query }: Visit,
  which: { page?: string; per_page?: string } = {},
): Promise<{ found: LinkPage; request: z.output<typeof linksAsked> }> {
  const request = asked(linksAsked, { per_page: String(MOST_ROWS), ...filled(query), ...which });
  const found = await listLinks(context, idOf(params['id']), { ...request, format: 'json' });
  if (found instanceof Response) throw new Error('links were asked for as JSON');
  return { found, request };
}

async function load(visit: Visit): Promise<Listing<LinkMeasurement>> {
  const given = Number(visit.query.get('per_page') || MOST_ROWS);
  const { found, request } = await read(visit, given > MOST_ROWS ? { per_page: String(MOST_ROWS) } : {});
  const { page: number, per_page: perPage, sort_by: sortBy, sort_order: sortOrder } = request;
  return { rows: found.results, total: found.pagination.total, page: number, perPage, sortBy, sortOrder };
}

/** 256 nodes have 32,640 links, read in pages of the maximum size. */
const loadAll = (visit: Visit): Promise<WholeList<LinkMeasurement>> =>
  allPages(async (page) => {
    const { found } = await read(visit, { page: String(page), per_page: String(networkLimits.perPage) });
    return { rows: found.results, total: found.pagination.total, page, perPage: networkLimits.perPage };
  });

const words = (value: string): { value: string; label: string } => ({ value, label: value.replaceAll('_', ' ') });

function filters({ query, base, params }: Visit): Content {
  const here = `${base}/jobs/${params['id'] ?? ''}/links`;
  const any = { value: '', label: 'any' };
  return html`<form class="filters" method="get" action="${here}" role="search" aria-label="Filter links">
    ${select({ name: 'verdict', label: 'Verdict', value: query.get('verdict'), options: [any, ...linkVerdict.options.map(words)] })}
    ${select({ name: 'status', label: 'Status', value: query.get('status'), options: [any, ...linkStatus.options.map(words)] })}
    ${field({ name: 'node', label: 'Node', type: 'number', min: 0, max: jobLimits.nodes - 1, value: query.get('node') })}
    ${field({ name: 'attempt', label: 'Attempt', type: 'number', min: 1, max: 1000, value: query.get('attempt') })}
    ${select({ name: 'sort_by', label: 'By', value: query.get('sort_by') ?? 'link_id', options: listLinksQuery.shape.sort_by.unwrap().options.map(words) })}
    ${select({
      name: 'sort_order',
      label: 'Order',
      value: query.get('sort_order') ?? 'asc',
      options: [
        { value: 'asc', label: 'smallest first' },
        { value: 'desc', label: 'largest first' },
      ],
    })}
    <div class="acts"><button class="main">Show</button> <a href="${here}">Clear</a></div>
  </form>`;
}

const hasFilter = ({ query }: Visit): boolean =>
  ['verdict', 'status', 'node', 'attempt'].some((name) => (query.get(name) ?? '') !== '');

const noLinks = (visit: Visit): Content =>
  empty(
    'No link was measured.',
    html`A job with cluster_network and two nodes or more measures them.
    ${jobNow(visit, visit.params['id'] ?? '')}${visit.shared === null ? html`, or <a href="/jobs/new">create such a job</a>` : null}.`,
  );

export const jobLinkPages: readonly PageRoute[] = list(
  '/jobs/:id/links',
  { who: 'member', shareable: true },
  {
    table: links,
    load,
    loadAll,
    show: (visit, listing) =>
      page(visit, {
        title: 'Links between nodes',
        nav: 'jobs',
        crumbs: [{ href: `${visit.base}/jobs/${visit.params['id'] ?? ''}`, label: 'Job' }],
        body: html`${filters(visit)}${dataTable(visit, {
          caption: 'Attempts at links, nodes by number; each row is one attempt, each rate of one window',
          table: links,
          listing,
          shape: 'scroll',
          filesHaveAll: true,
          ifEmpty: hasFilter(visit)
            ? empty('No link fits these filters.', html`<a href="${visit.base}${visit.path}">Show all links</a>.`)
            : noLinks(visit),
        })}`,
      }),
  },
);
