import { taskDetail } from '../../contract/task.ts';
import { getTask } from '../../jobs/tasks/get-task.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/empty.ts';
import { note } from '../components/note.ts';
import { figure } from '../components/numbers.ts';
import { time } from '../components/time.ts';
import { html, named } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { devicesOf, labelOf, measured, shownMetrics, unitOf, type Measured } from './run-figures.ts';

/** One figure of one device. */
interface DeviceFigure {
  device: string;
  model: string;
  metric: string;
  measured: Measured | null;
  unavailable: string | null;
  ofPeak: number | null;
  verdict: string | null;
  rule: string | null;
}

const figures = tableOf<DeviceFigure>([
  { name: 'metric', label: 'Figure', value: (row) => row.metric, cell: (row) => labelOf(row.metric) },
  { name: 'device', label: 'Device', value: (row) => row.device, cell: (row) => named(row.device) },
  {
    name: 'value',
    label: 'Value',
    value: (row) => row.measured?.value ?? null,
    cell: (row) =>
      row.measured === null
        ? html`– <small>${named(row.unavailable ?? 'not measured')}</small>`
        : `${figure(row.measured.value)} ${unitOf(row.metric)}`,
    isNumber: true,
  },
  {
    name: 'p5',
    label: 'p5',
    value: (row) => row.measured?.low ?? null,
    cell: (row) => figure(row.measured?.low ?? null),
    isNumber: true,
  },
  {
    name: 'p95',
    label: 'p95',
    value: (row) => row.measured?.high ?? null,
    cell: (row) => figure(row.measured?.high ?? null),
    isNumber: true,
  },
  { name: 'n', label: 'n', value: (row) => row.measured?.n ?? null, isNumber: true },
  {
    name: 'fraction_of_spec_peak',
    label: 'Of the sheet’s peak',
    value: (row) => row.ofPeak,
    cell: (row) => (row.ofPeak === null ? '–' : `${(row.ofPeak * 100).toFixed(1)} %`),
    isNumber: true,
  },
  { name: 'engine', label: 'Engine', value: (row) => row.measured?.engine ?? null },
  {
    name: 'verdict',
    label: 'Verdict',
    value: (row) => row.verdict,
    cell: (row) => html`${row.verdict ?? '–'}${row.rule === null ? null : html`<small>${named(row.rule)}</small>`}`,
  },
]);

interface TaskListing extends Listing<DeviceFigure> {
  task: ReturnType<typeof taskDetail.parse>;
  isSimulated: boolean;
}

async function load({ context, params }: Visit): Promise<TaskListing> {
  const task = taskDetail.parse(await getTask(context, { taskId: params['id'] ?? '', displayNames: false }));
  const devices = devicesOf(task.benchmark_results['quick_mark']?.['results']);
  const rows = shownMetrics.flatMap((metric) =>
    devices.map((device): DeviceFigure => ({
      device: device.gpu_id,
      model: device.gpu_model,
      metric,
      measured: measured(device, metric),
      unavailable: device.unavailable[metric] ?? null,
      ofPeak: device.gemm?.[metric]?.fraction_of_spec_peak ?? null,
      verdict: device.verdicts?.[metric]?.verdict ?? null,
      rule: device.verdicts?.[metric]?.rule ?? null,
    })),
  );
  return {
    task,
    isSimulated: devices.some(({ simulated }) => simulated),
    rows,
    total: rows.length,
    page: 1,
    perPage: Math.max(rows.length, 1),
  };
}

export const taskPages: readonly PageRoute[] = list(
  '/tasks/:id',
  { who: 'member' },
  {
    table: figures,
    load,
    show: (visit, listing) => {
      const { task, isSimulated } = listing as TaskListing;
      const parts = Object.entries(task.inventory ?? {}).filter(
        ([, value]) => typeof value === 'object' && value !== null,
      );
      return page(visit, {
        title: `Task ${task.id}`,
        nav: 'jobs',
        crumbs: [
          { href: '/jobs', label: 'Jobs' },
          { href: `/jobs/${task.job_id}`, label: `Job ${task.job_id}` },
        ],
        facts: html`${task.state}${task.end_time === null ? null : html` · ended ${time(task.end_time)}`} ·
          <a href="/machines/${encodeURIComponent(task.machine_id)}">machine ${named(task.machine_id)}</a>`,
        actions: html`${task.pdf_report_url === null ? null : html`<a class="btn" href="${task.pdf_report_url}">Report, PDF</a> `}<a
            class="btn"
            href="/compare?items=task:${task.id}"
            >Compare</a
          >`,
        body: html`${isSimulated ? note('sim', 'SIMULATED.', 'These devices are invented, and so are their figures.') : null}${task.failed_message === null ? null : note('bad', 'It failed.', named(task.failed_message))}
          ${dataTable(visit, { caption: 'Figures by device', table: figures, listing, shape: 'scroll', ifEmpty: empty('No figures have arrived.', 'They come when the machine has measured; run the line of the job on it.') })}
          <section>
            <h2>Inventory</h2>
            <dl class="facts">
              ${parts.flatMap(([part, value]) =>
                Object.entries(value ?? {}).map(
                  ([name, said]) =>
                    html`<dt>${part}: ${name.replaceAll('_', ' ')}</dt>
                      <dd>
                        ${said === null ? 'not reported' : named(typeof said === 'string' ? said : JSON.stringify(said))}
                      </dd>`,
                ),
              )}
            </dl>
          </section>`,
      });
    },
  },
);
