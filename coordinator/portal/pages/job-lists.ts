import { visibleCustomer } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { taskStateStatus, status } from '../components/status.ts';
import { percent } from '../components/numbers.ts';
import { pageAsked, pageOfAll } from '../frame/asked.ts';
import { html, named, type Content } from '../frame/html.ts';
import { idOf, type Visit } from '../frame/visit.ts';
import { page } from '../frame/layout.ts';
import { tableOf, type Listing, type Table, type WholeList } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import { readNodesView, type NodesView } from '../live/job-view.ts';
import { inOrder, problemsOf, sumOf } from '../live/nodes.ts';
import { samplesAlone } from '../live/together.ts';
import { placeWords } from '../../figures/findings/finding-words.ts';
import type { RunFinding } from '../../contract/judgement.ts';
import { placesOf } from '../live/places.ts';
import { gradeWords, whatOf, withCommands } from '../live/problems.ts';
import { findJobPage } from '../queries/job-page.ts';
import { copiesIn, copyColumns, type Copy } from './copy-lines.ts';
import { jobNow, startLine } from './job-now.ts';
import { number } from './number-column.ts';
import { labelOf, unitOf } from '../components/figure-names.ts';

/** Rows per page. */
const MOST_ROWS = 100;
/** Rows of a file that are written in one chunk: a job of 256 nodes with eight GPUs has 14,336 copies. */
const AT_ONCE = 1000;

interface NodeLine {
  node: number;
  /** null on shared pages */
  host: string | null;
  state: NodesView['nodes'][number]['state'];
  model: string | null;
  gpus: number | null;
  problems: number;
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
  number('problems', 'Problems', (row) => row.problems),
]);

const nodeLines = (view: NodesView): NodeLine[] =>
  inOrder(view).map((node) => ({
    node: node.node,
    host: view.viewer.isShared ? null : (node.hostname ?? node.machine_uuid),
    state: node.state,
    model: node.gpu_model,
    gpus: node.gpu_count,
    problems: problemsOf(view, node).length,
    bf16: sumOf(view, node, 'bf16_tflops'),
    fp32: sumOf(view, node, 'fp32_tflops'),
    memory: sumOf(view, node, 'memory_bandwidth_gbs'),
  }));

interface TogetherLine {
  node: number;
  device: number;
  metric: string;
  alone: number | null;
  samples: number | null;
  together: number | null;
  togetherSamples: number | null;
  change: number | null;
}

const together = tableOf<TogetherLine>([
  { name: 'node', label: 'Node', value: (row) => row.node },
  { name: 'device', label: 'Device', value: (row) => row.device, isNumber: true },
  { name: 'metric', label: 'Figure', value: (row) => row.metric, cell: (row) => named(labelOf(row.metric)) },
  { name: 'unit', label: 'Unit', value: (row) => unitOf(row.metric) },
  number('alone', 'Alone', (row) => row.alone),
  number('alone_samples', 'n alone', (row) => row.samples),
  number('all_at_work', 'All at work', (row) => row.together),
  number('all_at_work_samples', 'n all at work', (row) => row.togetherSamples),
  {
    name: 'change_share',
    label: 'Change',
    value: (row) => row.change,
    cell: (row) => (row.change === null ? '–' : percent(row.change)),
    isNumber: true,
  },
]);

const togetherLines = ({ nodes: all, figures }: NodesView): TogetherLine[] =>
  all.flatMap(({ id, node }) =>
    (figures.get(id)?.devices ?? []).flatMap((device, index) =>
      Object.entries(device.together).map(([metric, { alone, value, gap, samples: of }]) => ({
        node,
        device: index,
        metric,
        alone,
        samples: samplesAlone(device, metric),
        together: value,
        togetherSamples: of ?? null,
        change: gap === null ? null : -gap,
      })),
    ),
  );

interface CopyLine extends Copy {
  node: number;
}

const copies = tableOf<CopyLine>([{ name: 'node', label: 'Node', value: (row) => row.node }, ...copyColumns]);

const copyLines = ({ nodes: all, figures }: NodesView): CopyLine[] =>
  all.flatMap(({ id, node }) => {
    const found = figures.get(id);
    return found === undefined ? [] : copiesIn(found).map((copy) => ({ node, ...copy }));
  });

interface FindingLine {
  grade: RunFinding['grade'];
  rule: string;
  nodes: readonly number[];
  devices: readonly number[];
  where: string;
  what: string;
  act: string;
}

const findings = tableOf<FindingLine>([
  {
    name: 'grade',
    label: 'Grade',
    value: (row) => row.grade,
    cell: (row) => status(row.grade === 'bad' ? 'bad' : 'warn', gradeWords[row.grade]),
  },
  { name: 'where', label: 'Where', value: (row) => row.where, cell: (row) => named(row.where) },
  { name: 'nodes', label: 'Nodes', value: (row) => row.nodes.join(' '), isHidden: true },
  { name: 'devices', label: 'Devices', value: (row) => row.devices.join(' '), isHidden: true },
  { name: 'finding', label: 'What', value: (row) => row.what },
  { name: 'do', label: 'Do', value: (row) => row.act.replaceAll('`', ''), cell: (row) => withCommands(row.act) },
  { name: 'rule', label: 'Rule', value: (row) => row.rule, cell: (row) => named(row.rule.replaceAll('_', ' ')) },
]);

const findingLines = (view: NodesView): FindingLine[] =>
  view.judgement.findings.map((finding) => ({
    grade: finding.grade,
    rule: finding.rule,
    nodes: finding.nodes,
    devices: finding.devices,
    where: placeWords(finding, placesOf(view)),
    what: whatOf(finding, view.viewer),
    act: finding.action,
  }));

interface JobList<Row> {
  table: Table<Row>;
  linesOf: (view: NodesView) => readonly Row[];
  shape: 'stack' | 'scroll';
  ifEmpty: (visit: Visit) => Content;
}

function jobList<Row>(name: string, title: string, { table, linesOf, shape, ifEmpty }: JobList<Row>): PageRoute[] {
  const linesFor = async ({ context, params, query, shared, base }: Visit): Promise<readonly Row[]> => {
    const id = idOf(params['id']);
    const job = await findJobPage(context.sql, { id, customerId: visibleCustomer(context.actor) });
    if (job === null) throw notFound('Job');
    const isWorstFirst = query.get('order') === 'worst';
    const viewer = { isShared: shared !== null, base, rows: null, cols: null, nodesPage: 1, isWorstFirst };
    return linesOf(await readNodesView(context, job, viewer));
  };
  const load = async (visit: Visit): Promise<Listing<Row>> => {
    return pageOfAll(await linesFor(visit), { ...pageAsked(visit.query), num_per_page: MOST_ROWS });
  };
  const loadAll = async (visit: Visit): Promise<WholeList<Row>> => {
    const all = await linesFor(visit);
    return { total: all.length, pieces: inPieces(all) };
  };
  return list(
    `/jobs/:id/${name}`,
    { who: 'member', shareable: true },
    {
      table,
      load,
      loadAll,
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
            shape,
            filesHaveAll: true,
            ifEmpty: ifEmpty(visit),
          }),
        }),
    },
  );
}

async function* inPieces<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[], void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) yield rows.slice(from, from + AT_ONCE);
}

const scroll = {
  shape: 'scroll',
  ifEmpty: (visit: Visit) =>
    empty(
      'No data has been delivered yet.',
      html`It comes when the nodes have measured. ${startLine(visit, visit.params['id'] ?? '', 'them')}.`,
    ),
} as const;
const stack = {
  shape: 'stack',
  ifEmpty: (visit: Visit) =>
    empty(
      'No problem was found.',
      html`Problems of nodes, devices and links are listed here, the worst first.
      ${jobNow(visit, visit.params['id'] ?? '')}.`,
    ),
} as const;

/** The tables of a job's page as separate lists, each with its files. */
export const jobListsPages: readonly PageRoute[] = [
  ...jobList('nodes', 'Nodes of the job', { table: nodes, linesOf: nodeLines, ...scroll }),
  ...jobList('together', 'Each device alone and with all at work', {
    table: together,
    linesOf: togetherLines,
    ...scroll,
  }),
  ...jobList('copies', 'Copies between GPUs', { table: copies, linesOf: copyLines, ...scroll }),
  ...jobList('findings', 'Problems', { table: findings, linesOf: findingLines, ...stack }),
];
