import { sensorLines } from '../../charts/sensor-lines.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import type { SensorSeries } from '../../contract/sensor-series.ts';
import { chart } from '../components/chart.ts';
import { mean, orNull } from '../../figures/statistics.ts';
import { numbersTable } from '../components/numbers-table.ts';
import { figure } from '../components/numbers.ts';
import { html, named, raw, type Content } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { stretchesOf, type TaskSensors } from './sensors-of.ts';
import { noSamples } from './task-samples.ts';

/** Power, temperature and clock of one device over its run, with links to the other devices. */
export function sensorSection({ query, base }: Visit, taskId: string, sensors: TaskSensors | null): Content {
  const devices = sensors?.devices ?? [];
  const chosen = devices.find(({ device }) => device === query.get('device')) ?? devices[0];
  if (chosen === undefined) return null;
  const here = `${base}/tasks/${taskId}`;
  const links = html`<nav aria-label="Device">
    <ul class="chips">
      ${devices.map(({ device }) => html`<li><a href="${here}?device=${encodeURIComponent(device)}#sensors" ${device === chosen.device ? raw(' aria-current="true"') : null}>${named(device)}</a></li>`)}
    </ul>
  </nav>`;
  return html`<section id="sensors">
    <h2>Power, temperature, clock</h2>
    ${devices.length > 1 ? links : null}${chosen.series === null ? noSamples : sensorChart(`${here}/samples`, chosen.device, chosen.series)}
  </section>`;
}

/** Maximum points: more could not be distinguished on a page, and the table below would make the page too large. */
export const MOST_DRAWN = 128;

/** Merges neighbours if there are too many points, as the agent does for long runs: means, but the highest temperature. */
export function drawnPoints(series: SensorSeries): SensorSeries {
  const size = Math.ceil(series.seconds.length / MOST_DRAWN);
  if (size < 2) return series;
  const merged = <T>(values: readonly T[], of: (group: readonly T[]) => T): T[] =>
    Array.from({ length: Math.ceil(values.length / size) }, (_, at) => of(values.slice(at * size, (at + 1) * size)));
  const known = (group: readonly (number | null)[]): number[] => group.filter((value) => value !== null);
  const middle = (group: readonly (number | null)[]): number | null => orNull(mean(known(group)));
  return {
    ...series,
    seconds: merged(series.seconds, ([first = 0]) => first),
    power_watts: merged(series.power_watts, middle),
    clock_mhz: merged(series.clock_mhz, middle),
    temperature_celsius: merged(series.temperature_celsius, (group) =>
      known(group).length === 0 ? null : Math.max(...known(group)),
    ),
  };
}

function sensorChart(file: string, device: string, series: SensorSeries): Content {
  const stretches = stretchesOf(series);
  const drawn = drawnPoints(series);
  const [all, shown] = [series.seconds.length, drawn.seconds.length];
  const svg = (width: number): string => sensorLines(drawn, stretches, width);
  const query = `?device=${encodeURIComponent(device)}`;
  return chart({
    title: `${named(device)}: ${findingOf(series, stretches)}`,
    svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
    caption: html`${all}
      points${shown < all ? `, drawn as ${shown}: means of neighbours, of temperatures the hottest` : null}. Filled ▼
      marks: held back by heat or by the server, shaded over all three. Outlined marks: by a limit that holds every card
      back under full load. <a href="${file}${query}">All points</a> <a href="${file}.csv${query}">CSV</a>
      <a href="${file}.json${query}">JSON</a>`,
    table: numbersTable(
      'What the sensors said',
      ['Seconds', 'Power, W', 'Temperature, °C', 'Clock, MHz', ' Held back by'],
      drawn.seconds.map((seconds, at) => [
        figure(seconds),
        figure(drawn.power_watts[at] ?? null),
        figure(drawn.temperature_celsius[at] ?? null),
        figure(drawn.clock_mhz[at] ?? null),
        // A merged point covers the time until the next one.
        stretches.find(({ from, to }) => to > seconds && from < (drawn.seconds[at + 1] ?? Infinity))?.words ?? '–',
      ]),
    ),
  });
}

/** The finding: power, temperature, clocks, and whether the device was throttled. */
function findingOf(series: SensorSeries, stretches: ReturnType<typeof stretchesOf>): string {
  const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);
  const [watts, degrees, clocks] = [
    known(series.power_watts),
    known(series.temperature_celsius),
    known(series.clock_mhz),
  ];
  const bad = stretches.filter(({ isBad }) => isBad);
  const seconds = bad.reduce((sum, { from, to }) => sum + to - from, 0);
  const parts = [
    watts.length === 0 ? null : `up to ${figure(Math.max(...watts))} W`,
    degrees.length === 0 ? null : `up to ${figure(Math.max(...degrees))} °C`,
    clocks.length === 0 ? null : `${range(Math.min(...clocks), Math.max(...clocks))} MHz`,
    bad.length === 0
      ? `held back by ${reasons(stretches) || 'nothing'}`
      : `held back for ${figure(seconds)} s by ${reasons(bad)}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

const reasons = (stretches: readonly { words: string }[]): string =>
  [...new Set(stretches.map(({ words }) => words))].join('; ');

const range = (low: number, high: number): string => (low === high ? figure(low) : `${figure(low)} to ${figure(high)}`);
