import { listLinks } from '../../network/results/list-links.ts';
import type { LinkMeasurement } from '../../contract/cluster-network.ts';
import { listLinksQuery } from '../../contract/network-link-routes.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { findJobPage, selectNodes, type JobPageRow, type NodeRow } from '../queries/job-page.ts';

/** Who looks: a member sees names, a stranger with a link numbers. */
export interface Viewer {
  isShared: boolean;
  /** before every link */
  base: string;
}

export interface JobView {
  job: JobPageRow;
  nodes: NodeRow[];
  links: LinkMeasurement[];
  viewer: Viewer;
  now: Date;
}

/** Nodes of which every link is read; of more, the slowest are. */
const MOST_MATRIX = 16;
const SLOWEST = 50;

export const isOver = ({ state }: Pick<JobPageRow, 'state'>): boolean =>
  state === 'completed' || state === 'completed_with_warnings' || state === 'failed' || state === 'aborted';

/** All that the page of a job shows, in one reading. Throws `not_found`, also for another customer's job. */
export async function readJobView(context: Context, id: string, viewer: Viewer): Promise<JobView> {
  const job = await findJobPage(context.sql, { id, customerId: visibleCustomer(context.actor) });
  if (!job) throw notFound('Job');
  const [nodes, links] = await Promise.all([selectNodes(context.sql, id), linksOf(context, job)]);
  return { job, nodes, links, viewer, now: context.now() };
}

async function linksOf(context: Context, job: JobPageRow): Promise<LinkMeasurement[]> {
  if (!job.benchmarks.includes('cluster_network')) return [];
  const few = job.node_count <= MOST_MATRIX;
  const query = listLinksQuery.parse(
    few ? { per_page: '300' } : { per_page: String(SLOWEST), sort_by: 'bandwidth_gbps' },
  );
  const found = await listLinks(context, job.id, query);
  return found instanceof Response ? [] : found.results;
}

/** `0 · node-a`, or to a stranger `node 0`. */
export const nodeLabel = (
  { node, hostname, machine_uuid }: Pick<NodeRow, 'node' | 'hostname' | 'machine_uuid'>,
  { isShared }: Viewer,
): string => (isShared ? `node ${node}` : `${node} · ${hostname ?? machine_uuid.slice(0, 8)}`);
