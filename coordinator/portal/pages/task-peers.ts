import { strips, type Strip } from '../../charts/strips.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import { isGemmMetric } from '../../contract/matrix-engine.ts';
import type { PeerBand } from '../../lifecycle/performance/peer-bands.ts';
import { chart } from '../components/chart.ts';
import { numbersTable } from '../components/numbers-table.ts';
import { figure, percent } from '../components/numbers.ts';
import { html, named, type Content } from '../frame/html.ts';
import { labelOf, unitOf } from '../components/figure-names.ts';
import { type PlacedDevice } from './run-figures.ts';

interface Group {
  name: string;
  holds: (metric: string) => boolean;
  /** which values outside the band are worth reporting */
  tells: 'behind' | 'outside';
  caption: string | null;
}

const among =
  (...metrics: readonly string[]) =>
  (metric: string): boolean =>
    metrics.includes(metric);

/** Each group has its own axis: latencies differ by tens of percent, products by one percent. */
const groups: readonly Group[] = [
  {
    name: 'Matrix products',
    holds: isGemmMetric,
    tells: 'behind',
    caption:
      'vendor: by the GPU maker’s library; own: by gpumark’s kernels. Each stands beside what the same engine reached.',
  },
  {
    name: 'Memory and latency',
    holds: among('memory_bandwidth_gbs', 'l2_bandwidth_gbs', 'kernel_launch_overhead_us'),
    tells: 'behind',
    caption: null,
  },
  {
    name: 'Links',
    holds: among('host_to_device_bandwidth_gbs', 'device_to_host_bandwidth_gbs', 'gpu_copies_gbs'),
    tells: 'behind',
    caption: 'Copies: the mean from a device to the others of its node, beside those by the same path.',
  },
  {
    name: 'Power and heat',
    holds: among('power_consumption_watts', 'temperature_centigrade', 'energy_consumption_wh'),
    tells: 'outside',
    caption: 'Of runs of the same tier with the same choice of engine.',
  },
];

const LESS_IS_BETTER = among('kernel_launch_overhead_us');
/** Characters that fit to the left of a strip. */
const LABEL = 25;
const NAMED = 4;
const LAST_BITS = 1e-12;

/**
 * Each device compared with other customers' devices of the model; devices outside the 10th to 90th percentile are
 * named.
 */
export function peerStrips(devices: readonly PlacedDevice[], bands: readonly PeerBand[]): Content {
  const shown = groups.flatMap((group) => {
    const some = bands.filter(({ metric }) => group.holds(metric));
    return some.length === 0 ? [] : [groupChart(group, some, (place) => devices[place]?.name ?? '')];
  });
  if (shown.length === 0) return null;
  return html`<section>
    <h2>Beside others</h2>
    <p class="small muted">
      Band: the 10th to the 90th percentile of customers, each by the median of its machines with this model. Dots are
      the devices of this machine; ◆ lies outside the band and more than 5 % from the median, and the furthest are
      named. Customers without their name; yours have no part in it.
    </p>
    ${shown}
  </section>`;
}

type NameOf = (place: number) => string;

function groupChart(group: Group, bands: readonly PeerBand[], nameOf: NameOf): Content {
  const rows = bands.map((band): Strip => ({
    label: shortened(withEngine(band)),
    note: `${figure(band.p10)} to ${figure(band.p90)} ${unitOf(band.metric)}, n ${band.customers}`,
    band: { low: share(band.p10, band), high: share(band.p90, band) },
    marks: band.values.map(({ place, value }) => ({
      at: share(value, band),
      sign: isFar(value, band) ? nameOf(place) : '',
    })),
  }));
  const svg = (width: number): string =>
    strips(rows, { width, axis: 'percent from the median of other customers', reach: FAR });
  return chart({
    title: titleOf(group, bands, nameOf),
    svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
    caption: group.caption,
    table: numbersTable(
      `${group.name}: devices and the band of others`,
      ['Figure', ' Device', 'Value', 'p10', 'Median', 'p90', 'Customers', 'Machines', 'From the median'],
      bands.flatMap((band) =>
        band.values.map(({ place, value }) => [
          named(`${withEngine(band)}, ${unitOf(band.metric)}`),
          nameOf(place),
          figure(value),
          figure(band.p10),
          figure(band.median),
          figure(band.p90),
          band.customers,
          band.machines,
          percent(share(value, band)),
        ]),
      ),
    ),
  });
}

/** The finding: which figures are far on the wrong side of the band or, for groups without a wrong side, on either. */
function titleOf({ name, tells }: Group, bands: readonly PeerBand[], nameOf: NameOf): string {
  const found = bands.flatMap((band) => {
    const told = band.values.filter(({ value }) => isTold(tells, value, band));
    const of = named(kindOf(band));
    return told.length > 1 && told.length === band.values.length
      ? [`${of} of all ${told.length} devices`]
      : told.map(({ place }) => `${of} of ${nameOf(place)}`);
  });
  const where = tells === 'behind' ? 'behind' : 'from';
  if (found.length === 0) return `${name}: no figure is more than 5 % ${where} others with this model`;
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : '';
  return `${name}: more than 5 % ${where} others with this model: ${found.slice(0, NAMED).join(', ')}${more}`;
}

function isTold(tells: Group['tells'], value: number, band: PeerBand): boolean {
  if (!isFar(value, band)) return false;
  const side = sideOf(value, band);
  return tells === 'outside' ? side !== 0 : LESS_IS_BETTER(band.metric) ? side > 0 : side < 0;
}

/** -1 below the band, 1 above it. The mean of equal numbers may differ from them in the last bits. */
const sideOf = (value: number, { p10, p90 }: PeerBand): number =>
  value < p10 * (1 - LAST_BITS) ? -1 : value > p90 * (1 + LAST_BITS) ? 1 : 0;

/** Nearer values are within what healthy devices differ by, and are not coloured. */
const FAR = 0.05;

const isFar = (value: number, band: PeerBand): boolean =>
  sideOf(value, band) !== 0 && Math.abs(share(value, band)) > FAR;

const share = (value: number, { median }: PeerBand): number => value / median - 1;

/** What the figure measures, if its name alone does not say so. */
function kindOf({ metric, arithmetic, path }: PeerBand): string {
  if (arithmetic !== null) return arithmetic === 'tf32' ? 'fp32 in TF32' : 'fp32 in IEEE fp32';
  if (path !== null) return `Copies, ${path}`;
  return metric === 'fp32_cuda_core_tflops' ? 'fp32 on lanes' : labelOf(metric);
}

const withEngine = (band: PeerBand): string =>
  band.engine === null ? kindOf(band) : `${kindOf(band)}, ${band.engine}`;

const shortened = (label: string): string => (label.length > LABEL ? `${label.slice(0, LABEL - 1)}…` : label);
