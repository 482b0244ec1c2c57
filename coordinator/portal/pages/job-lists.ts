import { visibleCustomer } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/empty.ts';
import { taskStateStatus } from '../components/job-state.ts';
import { figure, percent } from '../components/numbers.ts';
import { html, named } from '../frame/html.ts';
import { idOf } from '../frame/id-of.ts';
import { page } from '../frame/layout.ts';
import { tableOf, type Column, type Listing, type Table } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { readJobView, type JobView } from '../live/job-view.ts';
import { sumOf } from '../live/nodes.ts';
import { findJobPage } from '../queries/job-page.ts';
import { labelOf, unitOf } from './run-figures.ts';

/** Rows of a page, and of its files. */
const MOST_ROWS = 300;

const number = <Row>(name: string, label: string, of: (row: Row) => number | null): Column<Row> => ({
  name,
  label,
  value: of,
  cell: (row) => figure(of(row)),
  isNumber: true,
});

interface NodeLine {
  node: number;
  /** null to a stranger */
  host: string | null;
  state: JobView['nodes'][number]['state'];
  model: string | null;
  gpus: number | null;
  warnings: number;
  bf16: number | null;
  fp32: number | null;
  memory: number | null;
}

const nodes = tableOf<NodeLine>([
  { name: 'node', label: 'Node', value: (row) => row.node },
  { name: 'host', label: 'Host', value: (row) => row.host, cell: (row) => named(row.host ?? '–') },
  { name: 'state', label: 'State', value: (row) => row.state, cell: (row) => taskStateStatus(row.state) },
  { name: 'gpu_model', label: 'Device', value: (row) => row.model, cell: (row) => named(row.model ?? '–') },
  number('gpu_count', 'Devices', (row) => row.gpus),
  number('bf16_tflops', 'bf16, sum of the devices, TFLOP/s', (row) => row.bf16),
  number('fp32_tflops', 'fp32, sum of the devices, TFLOP/s', (row) => row.fp32),
  number('memory_bandwidth_gbs', 'Memory, sum of the devices, GB/s', (row) => row.memory),
  number('warnings', 'Warnings', (row) => row.warnings),
]);

const nodeLines = (view: JobView): NodeLine[] =>
  view.nodes.map((node) => ({
    node: node.node,
    host: view.viewer.isShared ? null : (node.hostname ?? node.machine_uuid),
    state: node.state,
    model: node.gpu_model,
    gpus: node.gpu_count,
    warnings: node.warnings.length,
    bf16: sumOf(view, node, 'bf16_tflops'),
    fp32: sumOf(view, node, 'fp32_tflops'),
    memory: sumOf(view, node, 'memory_bandwidth_gbs'),
  }));

interface TogetherLine {
  node: number;
  device: number;
  metric: string;
  alone: number | null;
  together: number | null;
  change: number | null;
}

const together = tableOf<TogetherLine>([
  { name: 'node', label: 'Node', value: (row) => row.node },
  { name: 'device', label: 'Device', value: (row) => row.device, isNumber: true },
  { name: 'metric', label: 'Figure', value: (row) => row.metric, cell: (row) => named(labelOf(row.metric)) },
  { name: 'unit', label: 'Unit', value: (row) => unitOf(row.metric) },
  number('alone', 'Alone', (row) => row.alone),
  number('all_at_work', 'All at work', (row) => row.together),
  {
    name: 'change_share',
    label: 'Change',
    value: (row) => row.change,
    cell: (row) => (row.change === null ? '–' : percent(row.change)),
    isNumber: true,
  },
]);

const togetherLines = ({ nodes: all, figures }: JobView): TogetherLine[] =>
  all.flatMap(({ id, node }) =>
    (figures.get(id)?.devices ?? []).flatMap((device, index) =>
      Object.entries(device.together).map(([metric, { alone, value, gap }]) => ({
        node,
        device: index,
        metric,
        alone,
        together: value,
        change: gap === null ? null : -gap,
      })),
    ),
  );

interface CopyLine {
  node: number;
  from: number;
  to: number;
  path: string;
  simplex: number | null;
  duplex: number | null;
  verdict: string | null;
}

const copies = tableOf<CopyLine>([
  { name: 'node', label: 'Node', value: (row) => row.node },
  { name: 'from_gpu', label: 'From GPU', value: (row) => row.from, isNumber: true },
  { name: 'to_gpu', label: 'To GPU', value: (row) => row.to, isNumber: true },
  { name: 'connection_type', label: 'By', value: (row) => row.path, cell: (row) => named(row.path) },
  number('simplex_gbs', 'One direction, GB/s', (row) => row.simplex),
  number('duplex_gbs', 'Both directions, sum, GB/s', (row) => row.duplex),
  { name: 'verdict', label: 'Verdict', value: (row) => row.verdict },
]);

const copyLines = ({ nodes: all, figures }: JobView): CopyLine[] =>
  all.flatMap(({ id, node }) => {
    const { devices = [], copies: cells = [] } = figures.get(id) ?? {};
    const place = new Map(devices.map((device, index) => [device.id, index]));
    return cells.map((cell) => ({
      node,
      from: place.get(cell.source_gpu) ?? -1,
      to: place.get(cell.target_gpu) ?? -1,
      path: cell.connection_type,
      simplex: cell.simplex_gbs,
      duplex: cell.duplex_gbs ?? null,
      verdict: cell.verdict ?? null,
    }));
  });

function jobList<Row>(
  name: string,
  title: string,
  table: Table<Row>,
  linesOf: (view: JobView) => readonly Row[],
): PageRoute[] {
  const load = async (visit: Visit): Promise<Listing<Row>> => {
    const { context, params, shared, base, query } = visit;
    const id = idOf(params['id']);
    if ((await findJobPage(context.sql, { id, customerId: visibleCustomer(context.actor) })) === null)
      throw notFound('Job');
    const viewer = { isShared: shared !== null, base, rows: null, cols: null, nodesPage: 1, isWorstFirst: false };
    const all = linesOf(await readJobView(context, id, viewer));
    const at = Number(/^\d{1,4}$/.exec(query.get('page') ?? '')?.[0] ?? '1') || 1;
    const rows = all.slice((at - 1) * MOST_ROWS, at * MOST_ROWS);
    return { rows, total: all.length, page: at, perPage: MOST_ROWS };
  };
  return list(
    `/jobs/:id/${name}`,
    { who: 'member', shareable: true },
    {
      table,
      load,
      show: (visit, listing) =>
        page(visit, {
          title,
          nav: 'jobs',
          crumbs: [{ href: `${visit.base}/jobs/${visit.params['id'] ?? ''}`, label: 'Job' }],
          facts: html`nodes and devices by their number, from 0`,
          body: dataTable(visit, {
            caption: title,
            table,
            listing,
            shape: 'scroll',
            ifEmpty: empty('Nothing of it was delivered yet.', 'It comes when the nodes have measured.'),
          }),
        }),
    },
  );
}

/** The tables of a job's page as lists of their own, each with its files. */
export const jobListsPages: readonly PageRoute[] = [
  ...jobList('nodes', 'Nodes of the job', nodes, nodeLines),
  ...jobList('together', 'Each device alone and with all at work', together, togetherLines),
  ...jobList('copies', 'Copies between GPUs', copies, copyLines),
];
