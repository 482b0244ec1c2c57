import { listLinks } from '../../network/results/list-links.ts';
import type { LinkMeasurement } from '../../contract/cluster-network.ts';
import { listLinksQuery } from '../../contract/network-link-routes.ts';
import { validationError } from '../../platform/http/validation-error.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/empty.ts';
import { status } from '../components/status.ts';
import { page } from '../frame/layout.ts';
import { tableOf, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { idOf } from '../frame/id-of.ts';

const shown = (value: number | null): string => (value === null ? '–' : value.toPrecision(3));

/** Nodes by their number: that is all a stranger may see, and what the matrix has as well. */
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
    name: 'expected_forward_gbps',
    label: 'Expected there, Gb/s',
    isNumber: true,
    value: (row) => row.expected_forward_gbps,
    cell: (row) => shown(row.expected_forward_gbps),
  },
  {
    name: 'latency_us',
    label: 'Half round trip, µs',
    sort: 'latency_us',
    isNumber: true,
    value: (row) => row.latency_us,
    cell: (row) => (row.latency_us === null ? '–' : `${row.latency_us.toPrecision(3)}, n ${row.rtt_us?.samples ?? 0}`),
  },
  { name: 'status', label: 'Status', value: (row) => row.status },
  {
    name: 'verdict',
    label: 'Verdict',
    value: (row) => row.verdict,
    cell: (row) =>
      row.verdict === 'good'
        ? status('ok', 'good')
        : status(row.verdict === null ? 'none' : 'warn', (row.verdict ?? 'not judged').replaceAll('_', ' ')),
  },
]);

async function load({ context, params, query }: Visit): Promise<Listing<LinkMeasurement>> {
  const given = Object.fromEntries([...query].filter(([name, value]) => value !== '' && name !== 'format'));
  const asked = listLinksQuery.safeParse({ per_page: '100', ...given });
  if (!asked.success) throw validationError('query', asked.error.issues);
  const found = await listLinks(context, idOf(params['id']), asked.data);
  if (found instanceof Response) throw new Error('links were asked for as JSON');
  const { page: number, per_page: perPage, sort_by: sortBy, sort_order: sortOrder } = asked.data;
  return { rows: found.results, total: found.pagination.total, page: number, perPage, sortBy, sortOrder };
}

export const jobLinkPages: readonly PageRoute[] = list(
  '/jobs/:id/links',
  { who: 'member', shareable: true },
  {
    table: links,
    load,
    show: (visit, listing) =>
      page(visit, {
        title: 'Links between nodes',
        nav: 'jobs',
        crumbs: [{ href: `${visit.base}/jobs/${visit.params['id'] ?? ''}`, label: 'Job' }],
        body: dataTable(visit, {
          caption: 'Attempts at links, nodes by number',
          table: links,
          listing,
          shape: 'scroll',
          ifEmpty: empty('No link was measured.', 'A job with cluster_network and two nodes or more measures them.'),
        }),
      }),
  },
);
