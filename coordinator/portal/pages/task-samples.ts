import { z } from 'zod';
import { dataTable } from '../components/data-table.ts';
import { select } from '../components/field.ts';
import { asked, filled } from '../frame/asked.ts';
import { html, named, type Content } from '../frame/html.ts';
import { idOf, type Visit } from '../frame/visit.ts';
import { page } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import { figure } from '../components/numbers.ts';
import { reasonWords, sensorsOf } from './sensors-of.ts';
import { readPlace, taskCrumbs, type TaskPlace } from './task-place.ts';

/** Sensor readings of one device at one time. */
interface Sample {
  device: string;
  seconds: number;
  power: number | null;
  temperature: number | null;
  clock: number | null;
  throttle: string | null;
}

const reading = (name: string, label: string, of: (row: Sample) => number | null) => ({
  name,
  label,
  value: of,
  cell: (row: Sample) => figure(of(row)),
  isNumber: true,
});

const samples = tableOf<Sample>([
  { name: 'device', label: 'Device', value: (row) => row.device, cell: (row) => named(row.device) },
  reading('seconds', 'Seconds since the start', (row) => row.seconds),
  reading('power_watts', 'Power, W', (row) => row.power),
  reading('temperature_celsius', 'Temperature, °C', (row) => row.temperature),
  reading('clock_mhz', 'Clock, MHz', (row) => row.clock),
  {
    name: 'throttle',
    label: 'Held back by',
    value: (row) => row.throttle,
    cell: (row) => named(row.throttle?.split(' ').map(reasonWords).join(', ') ?? '–'),
  },
]);

interface SampleListing extends Listing<Sample> {
  task: TaskPlace;
  devices: readonly string[];
  chosen: string | null;
}

const samplesAsked = z.object({ device: z.string().max(120).optional() });

async function load(visit: Visit): Promise<SampleListing> {
  const { params, query } = visit;
  const taskId = idOf(params['id']);
  const { device } = asked(samplesAsked, filled(query));
  const task = await readPlace(visit, taskId);
  const all = (await sensorsOf(visit, taskId))?.devices ?? [];
  const rows = all
    .filter((one) => device === undefined || one.device === device)
    .flatMap(({ device: name, series }): Sample[] =>
      (series?.seconds ?? []).map((seconds, at) => ({
        device: name,
        seconds,
        power: series?.power_watts[at] ?? null,
        temperature: series?.temperature_celsius[at] ?? null,
        clock: series?.clock_mhz[at] ?? null,
        throttle: series?.throttled.find(({ first, last }) => at >= first && at <= last)?.reasons.join(' ') ?? null,
      })),
    );
  return { ...wholeListing(rows), task, devices: all.map((one) => one.device), chosen: device ?? null };
}

/** Rows shown: enough for all points of one device; the files have those of all devices. */
const MOST_SHOWN = 300;

function show(visit: Visit, listing: Listing<Sample>): Promise<Response> {
  const { rows, devices, chosen, task } = listing as SampleListing;
  const here = `${visit.base}/tasks/${visit.params['id'] ?? ''}`;
  return page(visit, {
    title: 'Samples of the sensors',
    nav: 'jobs',
    crumbs: taskCrumbs(visit, task),
    facts: `${rows.length} points of ${devices.length} ${devices.length === 1 ? 'device' : 'devices'}; every reading as it was for fewer than 256 of a device, 51 s; of longer runs each is the mean of neighbouring readings, of temperatures the hottest`,
    body: html`<form class="filters" method="get" action="${here}/samples" aria-label="Which device">
        ${select({ name: 'device', label: 'Device', value: chosen, options: [{ value: '', label: 'all' }, ...devices.map((value) => ({ value, label: named(value) }))] })}
        <div class="acts"><button class="main">Show</button></div>
      </form>
      ${rows.length > MOST_SHOWN ? html`<p>The first ${MOST_SHOWN} of ${rows.length} points; choose a device, or take the file.</p>` : null}
      ${dataTable(visit, { caption: 'What the sensors said', table: samples, listing, most: MOST_SHOWN, shape: 'scroll', ifEmpty: noSamples })}
      <p>
        There are no samples of figures to download: an upload holds how many there were, their median, spread and
        percentiles, and these are the task's <a href="${here}.csv">CSV</a> and <a href="${here}.json">JSON</a>.
      </p>`,
  });
}

/** Shown if there are no samples, with the reason. */
export const noSamples: Content = html`<p>
  No sensor was read over time: the machine allows none, the run has not delivered yet, or its agent is older than these
  samples. Power, temperature and clock need NVML or AMD SMI; on processors a power counter that the agent may read.
</p>`;

export const taskSamplePages: readonly PageRoute[] = list(
  '/tasks/:id/samples',
  { who: 'member', shareable: true },
  { table: samples, load, show },
);
