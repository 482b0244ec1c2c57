import type { RunFinding } from '../../contract/judgement.ts';
import { verdictLine } from '../../figures/findings/finding-words.ts';
import { isDeviceMetric } from '../../contract/quick-mark.ts';
import { isGemmMetric } from '../../contract/matrix-engine.ts';
import { shareOfPeak } from '../../figures/judge-spec-band.ts';
import { note } from '../components/note.ts';
import { status } from '../components/status.ts';
import { elapsed, time } from '../components/time.ts';
import { html, named, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import { list, type PageRoute, get } from '../frame/route.ts';
import { type Visit, idOf } from '../frame/visit.ts';
import { copiesOfNode } from '../live/gpu-copies.ts';
import { remarkSection } from '../live/health.ts';
import { problemSection, type Shown } from '../live/problems.ts';
import { gradeTones } from '../live/regions.ts';
import { unitOf } from '../components/figure-names.ts';
import { measured, taskMetrics, type PlacedDevice } from './run-figures.ts';
import { placeNames, readTask, type TaskView } from './read-task.ts';
import type { TaskSensors } from './sensors-of.ts';
import { sensorSection } from './task-charts.ts';
import { figureTable, isProblem, type DeviceFigure, type TaskListing } from './task-figures.ts';
import { peerStrips } from './task-peers.ts';
import { inventorySection, taskFiles } from './task-lists.ts';
import { jobCrumbs } from './task-place.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import { begun } from '../../platform/begun.ts';
import { notFound } from '../../platform/errors.ts';
import { findRawResult } from '../queries/node-results.ts';

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
  { name: 'grade', label: 'Grade', value: (row) => row.grade },
  { name: 'unavailable', label: 'Why not measured', value: (row) => row.unavailable },
  { name: 'peers_p10', label: 'Peers, p10', value: (row) => row.peers?.p10 ?? null },
  { name: 'peers_median', label: 'Peers, median', value: (row) => row.peers?.median ?? null },
  { name: 'peers_p90', label: 'Peers, p90', value: (row) => row.peers?.p90 ?? null },
  { name: 'peers_customers', label: 'Peers, customers', value: (row) => row.peers?.customers ?? null },
  { name: 'peers_machines', label: 'Peers, machines', value: (row) => row.peers?.machines ?? null },
]);

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
        isProblem(device.grades[metric]),
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
      grade: device.grades[metric] ?? null,
      peers: bands.find((band) => band.metric === metric && band.values.some((value) => value.place === place)) ?? null,
    })),
  );
  return { ...wholeListing(rows), ...view, bands };
}

/** Matrix products report it themselves; for other rates it is known if the data sheet covers this exact device. */
function ofPeak(device: PlacedDevice, metric: string, whole: TaskSensors | null): number | null {
  if (isGemmMetric(metric)) return device.gemm?.[metric]?.fraction_of_spec_peak ?? null;
  const known = whole?.devices.find(({ place }) => place === device.place);
  const value = measured(device, metric)?.value;
  if (known === undefined || value === undefined) return null;
  const { gpu_model: name, vendor, simulated } = device;
  return shareOfPeak({ name, vendor, simulated, isPart: known.isPart }, metric, value);
}

/** By the agent's clock, since results measured offline can arrive hours later. */
function measuredAt({ benchmark_results }: TaskView['task']): Content {
  const { started_at: from, completed_at: to } = benchmark_results['quick_mark'] ?? {};
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  return html` · measured ${time(from)} in ${elapsed(new Date(from), new Date(to))}`;
}

async function show(visit: Visit, listing: Listing<DeviceFigure>): Promise<Response> {
  const { task, place, judgement, devices, node, sensors, bands, remarks } = listing as TaskListing;
  const areProcessors = devices.length > 0 && devices.every(({ vendor }) => vendor === 'cpu');
  const line = verdictLine(judgement.verdict, areProcessors);
  const problems: Shown = { names: placeNames(devices), isShared: visit.shared !== null, hrefOf: evidenceHere };
  const { shared, base } = visit;
  return page(visit, {
    title: place.name,
    heading: html`${place.name} <span class="verdict">${status(gradeTones[judgement.verdict.grade], line)}</span>`,
    nav: 'jobs',
    crumbs: jobCrumbs(visit, place),
    facts: html`${task.state}${measuredAt(task)}${task.end_time === null ? null : html` · ended ${time(task.end_time)}`}${
      shared
        ? null
        : html` · task ${task.id} ·
            <a href="/machines/${encodeURIComponent(task.machine_id)}">history of the machine</a>`
    }`,
    actions: html`${
        task.pdf_report_url === null || shared
          ? null
          : html`<a class="btn main" href="${task.pdf_report_url}">Report (PDF)</a> `
      }${shared ? null : html`<a class="btn" href="/compare?items=task:${task.id}">Compare</a> `}<a
        class="btn"
        href="${base}/tasks/${task.id}/samples"
        >Sensor samples</a
      >${shared || devices.length === 0 ? null : html` <a class="btn" href="/tasks/${task.id}/result.json">Whole result, JSON</a>`}`,
    body: html`${shared ? html`<p class="small muted">A shared page, until ${time(shared.expiresAt)}. Names, addresses, serials and the inventory are left out.</p>` : null}${devices.some(({ simulated }) => simulated) ? note('sim', 'SIMULATED.', 'These devices are invented, and so are their figures.') : null}${task.failed_message === null ? null : note(task.state === 'aborted' ? 'warn' : 'bad', task.state === 'aborted' ? 'It was stopped.' : 'It failed.', shared ? null : named(task.failed_message))}
      ${problemSection(judgement, problems)}
      <section id="figures">${figureTable(visit, listing as TaskListing)}</section>
      ${peerStrips(devices, bands)}${bands.length === 0 ? null : taskFiles(visit, 'peers')}${node.copies.length === 0 ? null : html`<section id="copies">${copiesOfNode(node, null)}${taskFiles(visit, 'copies')}</section>`}${sensorSection(visit, task.id, sensors)}${remarkSection(remarks, shared !== null)}${shared ? null : inventorySection(visit, listing as TaskListing)}`,
  });
}

/** On the page of the machine itself the numbers are below. */
const evidenceHere = ({ rule, figures: of }: RunFinding): string | null =>
  rule.startsWith('copies_') ? '#copies' : of.length > 0 ? '#figures' : null;

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
