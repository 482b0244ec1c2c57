import { isDeviceMetric } from '../../contract/quick-mark.ts';
import { isGemmMetric } from '../../contract/matrix-engine.ts';
import { healthyWords as wordsOf } from '../../figures/reference-words.ts';
import { shareOfPeak } from '../../figures/judge-spec-band.ts';
import type { PeerBand } from '../../lifecycle/performance/peer-bands.ts';
import { dataTable } from '../components/data-table.ts';
import { empty, note } from '../components/note.ts';
import { figure } from '../components/numbers.ts';
import { elapsed, time } from '../components/time.ts';
import { html, named, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import { list, type PageRoute, get } from '../frame/route.ts';
import { type Visit, idOf } from '../frame/visit.ts';
import { copiesOfNode } from '../live/gpu-copies.ts';
import { healthSection } from '../live/health.ts';
import { doubtsOf } from '../live/warnings.ts';
import { labelOf, measured, taskMetrics, unitOf, type Measured, type PlacedDevice } from './run-figures.ts';
import { readTask, type TaskView } from './read-task.ts';
import type { TaskSensors } from './sensors-of.ts';
import { sensorSection } from './task-charts.ts';
import { peerStrips } from './task-peers.ts';
import { inventorySection, taskFiles } from './task-lists.ts';
import { jobCrumbs } from './task-samples.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import { begun } from '../../platform/begun.ts';
import { notFound } from '../../platform/errors.ts';
import { findRawResult } from '../queries/node-results.ts';

/** One figure of one device. */
export interface DeviceFigure {
  device: string;
  model: string;
  metric: string;
  measured: Measured | null;
  unavailable: string | null;
  ofPeak: number | null;
  verdict: string | null;
  rule: string | null;
  /** of other customers, for the same engine and arithmetic */
  peers: PeerBand | null;
}

const figures = tableOf<DeviceFigure>([
  { name: 'metric', label: 'Figure', value: (row) => row.metric },
  { name: 'unit', label: 'Unit', value: (row) => unitOf(row.metric) },
  { name: 'device', label: 'Device', value: (row) => row.device },
  { name: 'value', label: 'Value', value: (row) => row.measured?.value ?? null },
  { name: 'p5', label: 'p5', value: (row) => row.measured?.low ?? null },
  { name: 'p95', label: 'p95', value: (row) => row.measured?.high ?? null },
  { name: 'n', label: 'n', value: (row) => row.measured?.n ?? null },
  { name: 'fraction_of_spec_peak', label: 'Of the sheet’s peak', value: (row) => row.ofPeak },
  { name: 'engine', label: 'Engine', value: (row) => row.measured?.engine ?? null },
  { name: 'load', label: 'Load class', value: (row) => row.measured?.load ?? null },
  { name: 'verdict', label: 'Verdict', value: (row) => row.verdict },
  { name: 'rule', label: 'By the rule', value: (row) => row.rule },
  { name: 'unavailable', label: 'Why not measured', value: (row) => row.unavailable },
  { name: 'peers_p10', label: 'Peers, p10', value: (row) => row.peers?.p10 ?? null },
  { name: 'peers_median', label: 'Peers, median', value: (row) => row.peers?.median ?? null },
  { name: 'peers_p90', label: 'Peers, p90', value: (row) => row.peers?.p90 ?? null },
  { name: 'peers_customers', label: 'Peers, customers', value: (row) => row.peers?.customers ?? null },
  { name: 'peers_machines', label: 'Peers, machines', value: (row) => row.peers?.machines ?? null },
]);

type TaskListing = Listing<DeviceFigure> & TaskView & { bands: readonly PeerBand[] };

async function load(visit: Visit): Promise<TaskListing> {
  const view = await readTask(visit);
  const { devices } = view;
  const bands = await view.readBands();
  // Agents of earlier releases do not report some figures. A failed check has a verdict but no value.
  const known = taskMetrics.filter((metric) =>
    devices.some(
      (device) =>
        (isDeviceMetric(metric) && Object.hasOwn(device, metric)) ||
        measured(device, metric) !== null ||
        isDoubt(device.verdicts?.[metric]?.verdict),
    ),
  );
  const rows = known.flatMap((metric) =>
    devices.map((device, place): DeviceFigure => ({
      device: device.gpu_id,
      model: device.gpu_model,
      metric,
      measured: measured(device, metric),
      unavailable: device.unavailable[metric] ?? null,
      ofPeak: ofPeak(device, metric, view.sensors),
      verdict: device.verdicts?.[metric]?.verdict ?? null,
      rule: device.verdicts?.[metric]?.rule ?? null,
      peers: bands.find((band) => band.metric === metric && band.values.some((value) => value.place === place)) ?? null,
    })),
  );
  return { ...wholeListing(rows), ...view, bands };
}

const isDoubt = (verdict: string | null | undefined): boolean => verdict === 'warn' || verdict === 'bad';

/** Matrix products report it themselves; for other rates it is known if the data sheet covers this exact device. */
function ofPeak(device: PlacedDevice, metric: string, whole: TaskSensors | null): number | null {
  if (isGemmMetric(metric)) return device.gemm?.[metric]?.fraction_of_spec_peak ?? null;
  const known = whole?.devices.find(({ place }) => place === device.place);
  const value = measured(device, metric)?.value;
  if (known === undefined || value === undefined) return null;
  const { gpu_model: name, vendor, simulated } = device;
  return shareOfPeak({ name, vendor, simulated, isPart: known.isPart }, metric, value);
}

function cellOf(row: DeviceFigure | undefined): Content {
  if (row === undefined) return '–';
  const doubt = isDoubt(row.verdict)
    ? html`<small>${row.verdict === 'bad' ? '✗' : '!'} ${named(row.rule ?? row.verdict ?? '')}</small>`
    : null;
  if (row.measured === null) return html`– <small>${named(row.unavailable ?? 'not measured')}</small>${doubt}`;
  const { value, low, high, n } = row.measured;
  const spread =
    n === 0 ? 'one value, no samples' : low === high ? `n ${n}` : `n ${n}, ${figure(low)} to ${figure(high)}`;
  const peak = row.ofPeak === null ? '' : `; ${(row.ofPeak * 100).toFixed(1)} % of the sheet`;
  return html`${figure(value)}<small>${spread}${peak}</small>${doubt}`;
}

/** There are two bands if the devices were measured by different engines. */
const bandWords = (bands: readonly PeerBand[]): Content =>
  bands.length === 0
    ? '–'
    : bands.map(({ p10, median, p90, customers, engine }) => {
        const of = `median ${figure(median)}, n ${customers} customers${engine === null ? '' : `, engine ${engine}`}`;
        return html`${`${figure(p10)} to ${figure(p90)}`}<small>${of}</small>`;
      });

/** Beside shares of the sheet: what healthy cards reach, for each model of the row and each way of measuring. */
function healthyWords(row: readonly DeviceFigure[]): Content {
  const found = row.flatMap(({ ofPeak: share, model, metric, measured: figures }) =>
    share === null || figures === null ? [] : (wordsOf(model, metric, figures) ?? []),
  );
  const words = [...new Set(found)];
  return words.length === 0 ? null : html`<small>${words.join(', ')}</small>`;
}

/** A row for each figure that some device has, a column for each device. */
function figureTable(visit: Visit, listing: TaskListing): Content {
  const { devices, rows, bands } = listing;
  const byMetric = [...Map.groupBy(rows, ({ metric }) => metric).values()];
  const isAbsent = (row: readonly DeviceFigure[]): boolean =>
    row.every((one) => one.measured === null && !isDoubt(one.verdict));
  const columns = [
    {
      name: 'metric',
      label: 'Figure',
      value: (row: DeviceFigure[]) => row[0]?.metric ?? null,
      cell: (row: DeviceFigure[]) =>
        html`${labelOf(row[0]?.metric ?? '')}, ${unitOf(row[0]?.metric ?? '')}${healthyWords(row)}`,
    },
    {
      name: 'peers',
      label: 'Peers, p10 to p90',
      value: () => null,
      cell: (row: DeviceFigure[]) => bandWords(bands.filter(({ metric }) => metric === row[0]?.metric)),
      isNumber: true,
    },
    ...devices.map(({ gpu_id }, at) => ({
      name: gpu_id,
      label: named(gpu_id),
      value: () => null,
      cell: (row: DeviceFigure[]) => cellOf(row[at]),
      isNumber: true,
    })),
  ].filter(({ name }) => name !== 'peers' || bands.length > 0);
  const absent = byMetric.filter(isAbsent);
  return html`${dataTable(visit, {
    caption: 'Figures by device: median, spread from the 5th to the 95th percentile of n samples',
    table: tableOf(columns),
    listing: wholeListing(byMetric.filter((row) => !isAbsent(row))),
    shape: 'scroll',
    ifEmpty: empty(
      'No figures have arrived.',
      html`They come when the machine has
      measured.${visit.shared ? null : html` <a href="/jobs/${listing.task.job_id}/start">The line to run on it</a>`}`,
    ),
  })}${
    absent.length === 0 || devices.length === 0
      ? null
      : html`<p class="small">
          Not measured:
          ${absent.map((row, at) => html`${at === 0 ? null : '; '}${labelOf(row[0]?.metric ?? '')} (${named(row.find(({ unavailable }) => unavailable !== null)?.unavailable ?? 'no reason given')})`)}.
        </p>`
  }`;
}

/** By the agent's clock, since results measured offline can arrive hours later. */
function measuredAt({ benchmark_results }: TaskView['task']): Content {
  const { started_at: from, completed_at: to } = benchmark_results['quick_mark'] ?? {};
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  return html` · measured ${time(from)} in ${elapsed(new Date(from), new Date(to))}`;
}

async function show(visit: Visit, listing: Listing<DeviceFigure>): Promise<Response> {
  const { task, devices, node, sensors, bands, health } = listing as TaskListing;
  const { shared, base } = visit;
  return page(visit, {
    title: `Task ${task.id}`,
    nav: 'jobs',
    crumbs: jobCrumbs(visit, task.job_id),
    facts: html`${task.state}${measuredAt(task)}${task.end_time === null ? null : html` · ended ${time(task.end_time)}`}${
      shared
        ? null
        : html` ·
            <a href="/machines/${encodeURIComponent(task.machine_id)}">machine ${named(task.machine_id)}</a>`
    }`,
    actions: html`${
        task.pdf_report_url === null || shared
          ? null
          : html`<a class="btn" href="${task.pdf_report_url}">Report, PDF</a> `
      }${shared ? null : html`<a class="btn" href="/compare?items=task:${task.id}">Compare</a> `}<a
        class="btn"
        href="${base}/tasks/${task.id}/samples"
        >Sensor samples</a
      >${shared || devices.length === 0 ? null : html` <a class="btn" href="/tasks/${task.id}/result.json">Whole result, JSON</a>`}`,
    body: html`${shared ? html`<p class="small muted">A shared page, until ${time(shared.expiresAt)}. Names, addresses, serials and the inventory are left out.</p>` : null}${devices.some(({ simulated }) => simulated) ? note('sim', 'SIMULATED.', 'These devices are invented, and so are their figures.') : null}${task.failed_message === null ? null : note(task.state === 'aborted' ? 'warn' : 'bad', task.state === 'aborted' ? 'It was stopped.' : 'It failed.', shared ? null : named(task.failed_message))}
    ${health === null ? null : healthSection(health, shared !== null)}${shared ? null : doubtsOf(listing.rows.map((row) => ({ ...row, label: labelOf(row.metric) })))}${figureTable(visit, listing as TaskListing)}${peerStrips(devices, bands)}${bands.length === 0 ? null : taskFiles(visit, 'peers')}${copiesOfNode(node, null)}${node.copies.length === 0 ? null : taskFiles(visit, 'copies')}${sensorSection(visit, task.id, sensors)}${shared ? null : inventorySection(visit, listing as TaskListing)}`,
  });
}

export const taskPages: readonly PageRoute[] = list(
  '/tasks/:id',
  { who: 'member', shareable: true },
  { table: figures, load, show },
);

/** The QuickMark of a machine as stored, with every detail and sample that its agent sent. */
async function result({ context, params }: Visit): Promise<Response> {
  const taskId = idOf(params['id']);
  const found = await findRawResult(context.sql, { taskId, customerId: visibleCustomer(context.actor) });
  if (found === null) throw notFound('The result');
  const headers = {
    'Content-Type': 'application/json',
    'Content-Disposition': `attachment; filename="gpumark-task-${taskId}-quick_mark.json"`,
  };
  if (found.raw_key === null) return new Response(found.results, { headers });
  const opened = await context.artifacts.open(found.raw_key);
  if (opened === null) throw notFound('The file of the result');
  return new Response(await begun(opened.content), { headers });
}

/** Not on shared pages: it contains device ids and the agent's own texts. */
export const taskResultPages: readonly PageRoute[] = [
  get('/tasks/:id/result.json', { who: 'member', isPlain: true }, result),
];
