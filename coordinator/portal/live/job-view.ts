import { html, type Html } from '../frame/html.ts';
import type { Range } from '../components/matrix.ts';
import type { Platform } from '../../platform/context.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { knownOfJob } from '../../lifecycle/known-judgement.ts';
import { notFound } from '../../platform/errors.ts';
import { findJobPage, selectNodes, type JobPageRow, type NodeRow } from '../queries/job-page.ts';
import { selectLinkCells, selectSeatNames, type LinkCell, type SeatName } from '../queries/link-cells.ts';
import { jobJudgement } from '../../figures/findings/job-judgement.ts';
import { readNodeFigures, type NodeFigures } from './node-figures.ts';

/** The reader: a member sees names, a reader with a shared link sees numbers. */
export interface Viewer {
  isShared: boolean;
  /** prefix of every link */
  base: string;
  /** visible part of the node matrix; null: all */
  rows: Range | null;
  cols: Range | null;
  /** page of the table of nodes, from 1 */
  nodesPage: number;
  isWorstFirst: boolean;
}

/** A job and the results of its nodes. */
export interface NodesView {
  job: JobPageRow;
  nodes: NodeRow[];
  /** of the job at its end, or of its nodes so far */
  judgement: Judgement;
  /** by task */
  figures: ReadonlyMap<string, NodeFigures>;
  viewer: Viewer;
}

export interface JobView extends NodesView {
  links: LinkCell[];
  /** node names, indexed by the numbers in `links` */
  seats: SeatName[];
}

/** Before a node came. */
const nothing = jobJudgement([], { findings: [] });

export const isOver = ({ state }: Pick<JobPageRow, 'state'>): boolean =>
  state === 'completed' || state === 'completed_with_warnings' || state === 'failed' || state === 'aborted';

/**
 * Everything that a job's page shows, read together. The caller has checked that the job may be seen. Throws
 * `not_found`.
 */
export async function readJobView({ sql }: Pick<Platform, 'sql'>, id: string, viewer: Viewer): Promise<JobView> {
  const job = await findJobPage(sql, { id, customerId: null });
  if (!job) throw notFound('Job');
  const hasLinks = job.benchmarks.includes('cluster_network');
  const [ofNodes, links, seats] = await Promise.all([
    readNodesView({ sql }, job, viewer),
    hasLinks ? selectLinkCells(sql, id) : [],
    hasLinks ? selectSeatNames(sql, id) : [],
  ]);
  return { ...ofNodes, links, seats };
}

/** The same without the links, of which a job of 256 nodes has 32,640. */
export async function readNodesView(
  { sql }: Pick<Platform, 'sql'>,
  job: JobPageRow,
  viewer: Viewer,
): Promise<NodesView> {
  const [nodes, figures] = await Promise.all([
    selectNodes(sql, job.id),
    readNodeFigures(sql, { jobId: job.id, customerId: job.customer_id }),
  ]);
  return { job, nodes, judgement: knownOfJob(job, nodes) ?? nothing, figures, viewer };
}

/** Links to the CSV and JSON files of a table on the page. */
export const filesOf = ({ viewer, job }: Pick<NodesView, 'viewer' | 'job'>, name: string, query = ''): Html => {
  const path = `${viewer.base}/jobs/${job.id}/${name}`;
  const link = (ending: string, words: string): Html => html`<a href="${path}${ending}${query}">${words}</a>`;
  return html`${link('', 'All rows')}, as ${link('.csv', 'CSV')} or ${link('.json', 'JSON')}.`;
};

/** `0 · node-a`, or `node 0` on a shared page. */
export const nodeLabel = (
  { node, hostname, machine_uuid }: Pick<NodeRow, 'node' | 'hostname' | 'machine_uuid'>,
  { isShared }: Viewer,
): string => (isShared ? `node ${node}` : `${node} · ${hostname ?? machine_uuid.slice(0, 8)}`);
