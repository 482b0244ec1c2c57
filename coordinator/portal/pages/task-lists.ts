import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { html, named, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing, type Table } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Access, Visit } from '../frame/visit.ts';
import { copiesIn, copyColumns, type Copy } from './copy-lines.ts';
import { number } from './number-column.ts';
import { readTask, type TaskView } from './read-task.ts';
import { labelOf, unitOf } from '../components/figure-names.ts';
import { startLine } from './job-now.ts';
import { taskCrumbs, type TaskPlace } from './task-place.ts';

const copies = tableOf<Copy>(copyColumns);

/** A device compared with others of its model. */
interface PeerLine {
  metric: string;
  engine: string | null;
  path: string | null;
  device: string;
  value: number;
  p10: number;
  median: number;
  p90: number;
  customers: number;
  machines: number;
}

const peers = tableOf<PeerLine>([
  { name: 'metric', label: 'Figure', value: (row) => row.metric, cell: (row) => labelOf(row.metric) },
  { name: 'unit', label: 'Unit', value: (row) => unitOf(row.metric) },
  { name: 'engine', label: 'Engine', value: (row) => row.engine },
  { name: 'connection_type', label: 'By', value: (row) => row.path, cell: (row) => named(row.path ?? '–') },
  { name: 'device', label: 'Device', value: (row) => row.device, cell: (row) => named(row.device) },
  number('value', 'Value', (row) => row.value),
  number('p10', 'Peers, p10', (row) => row.p10),
  number('median', 'Peers, median', (row) => row.median),
  number('p90', 'Peers, p90', (row) => row.p90),
  number('customers', 'Customers', (row) => row.customers),
  number('machines', 'Machines', (row) => row.machines),
]);

const peerLines = async ({ readBands, devices }: TaskView): Promise<PeerLine[]> =>
  (await readBands()).flatMap(({ values, metric, engine, path, p10, median, p90, customers, machines }) =>
    values.map(({ place, value }) => ({
      metric,
      engine,
      path,
      device: devices[place]?.name ?? '',
      value,
      p10,
      median,
      p90,
      customers,
      machines,
    })),
  );

/** One item of the inventory that the agent reported. */
interface Part {
  part: string;
  name: string;
  value: string | null;
}

const parts = tableOf<Part>([
  { name: 'part', label: 'Part', value: (row) => row.part, cell: (row) => inWords(row.part) },
  { name: 'name', label: 'What', value: (row) => row.name, cell: (row) => inWords(row.name) },
  { name: 'value', label: 'Reported', value: (row) => row.value, cell: (row) => named(row.value ?? 'not reported') },
]);

const units: readonly [suffix: RegExp, unit: string][] = [
  [/_gb$/, ', GB'],
  [/_mbps$/, ', Mbit/s'],
];

/** A field name of the API as a label, with its unit set apart. */
const inWords = (field: string): string =>
  units
    .reduce((name, [suffix, unit]) => name.replace(suffix, unit), field)
    .replaceAll('_', ' ')
    .replace(/\b(cpu|gpu|os|ip|cuda)\b/g, (short) => short.toUpperCase());

const partLines = ({ task: { inventory }, devices }: TaskView): Part[] => [
  ...Object.entries(inventory ?? {}).flatMap(([part, value]) =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).map(([name, said]) => ({
          part,
          name,
          value: said === null ? null : typeof said === 'string' ? said : JSON.stringify(said),
        })),
  ),
  // Everywhere else a device has its number alone.
  ...devices.map(({ name, gpu_id }) => ({ part: 'gpu', name: `id of ${name}`, value: gpu_id })),
];

const nothing = (visit: Visit, jobId: string): Content =>
  empty('No data was delivered.', html`It comes when the machine has measured. ${startLine(visit, jobId, 'it')}.`);

/** A table of the task's page, with links to its files. */
const listOf = <Row>(
  visit: Visit,
  { name, caption, jobId }: { name: string; caption: string; jobId: string },
  table: Table<Row>,
  rows: readonly Row[],
): Content =>
  dataTable(visit, {
    caption,
    table,
    listing: wholeListing(rows),
    files: `/tasks/${visit.params['id'] ?? ''}/${name}`,
    shape: 'scroll',
    ifEmpty: nothing(visit, jobId),
  });

export const inventorySection = (visit: Visit, view: TaskView): Content =>
  html`<section>
    <h2>Inventory</h2>
    ${listOf(visit, { name: 'inventory', caption: 'What the agent reported of the machine', jobId: view.task.job_id }, parts, partLines(view))}
  </section>`;

/** Links to the numbers of a chart or matrix on the task's page, as a table and as files. */
export const taskFiles = ({ base, params }: Visit, name: 'copies' | 'peers'): Content => {
  const path = `${base}/tasks/${params['id'] ?? ''}/${name}`;
  return html`<p class="small">
    <a href="${path}">All rows</a>, as <a href="${path}.csv">CSV</a> or <a href="${path}.json">JSON</a>.
  </p>`;
};

interface PartOfTask<Row> extends Listing<Row> {
  place: TaskPlace;
}

function taskList<Row>(
  access: Access,
  name: string,
  title: string,
  { table, linesOf }: { table: Table<Row>; linesOf: (view: TaskView) => readonly Row[] | Promise<readonly Row[]> },
): PageRoute[] {
  return list(`/tasks/:id/${name}`, access, {
    table,
    load: async (visit): Promise<PartOfTask<Row>> => {
      const view = await readTask(visit);
      return { ...wholeListing(await linesOf(view)), place: view.place };
    },
    show: (visit, listing) => {
      const { rows, place } = listing as PartOfTask<Row>;
      return page(visit, {
        title,
        nav: 'jobs',
        crumbs: taskCrumbs(visit, place),
        body: listOf(visit, { name, caption: title, jobId: place.jobId }, table, rows),
      });
    },
  });
}

const shareable = { who: 'member', shareable: true } as const;

export const taskListPages: readonly PageRoute[] = [
  ...taskList(shareable, 'copies', 'Copies between the GPUs of the machine', {
    table: copies,
    linesOf: ({ node }) => copiesIn(node),
  }),
  ...taskList(shareable, 'peers', 'Devices beside those of others', { table: peers, linesOf: peerLines }),
  ...taskList({ who: 'member' }, 'inventory', 'Inventory', { table: parts, linesOf: partLines }),
];
