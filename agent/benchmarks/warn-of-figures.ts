import { metricLabel } from '../kernels/registry.ts';
import type { DeviceSummary, MetricSummary } from '../run/run-summary.ts';
import { deviceNames, devicesWords } from '../../coordinator/figures/device-name.ts';
import { engineNames, gemmMetrics, type MatrixEngine } from '../../coordinator/contract/matrix-engine.ts';

/**
 * Rules whose finding contains different numbers for each figure, but has one cause. For the others the text identifies
 * the cause.
 */
const ONE_CAUSE: ReadonlySet<string> = new Set([
  'spread',
  'core share',
  'spec band',
  'peers',
  'baseline',
  'all at once',
]);
const NAMED_FIGURES_MAX = 4;
/** Cards per engine: more than this are counted, not listed. */
const NAMED_BY_ENGINE_MAX = 4;

/** A figure with a finding, and the place of its device in the node, from 0. */
interface Doubt {
  place: number;
  metric: MetricSummary;
}

/**
 * Warnings of a run: a figure that failed its check or is implausible, one that could not be measured although the
 * hardware has it, a card's doubtful figure, a device without any figure. Noise on a CPU is shown with the figure but
 * is not a warning, since other programs normally run there. One cause gives one line for all devices; each figure has
 * its own finding in the summary and in `verdicts`.
 * @param told ids of devices for which the reason that nothing was measured has already been reported
 */
export function figureWarnings(devices: readonly DeviceSummary[], told: ReadonlySet<string> = new Set()): string[] {
  const names = deviceNames(devices);
  const empty = devices.flatMap((device, place) =>
    !told.has(device.device_id) && device.metrics.every((metric) => metric.value === null)
      ? [`${names[place]}: nothing could be measured`]
      : [],
  );
  const doubts = devices.flatMap((device, place) =>
    device.metrics.filter((metric) => counts(device, metric)).map((metric): Doubt => ({ place, metric })),
  );
  const causes = Map.groupBy(doubts, ({ metric: { rule, reason } }) =>
    rule !== null && ONE_CAUSE.has(rule) ? rule : `${rule}\n${reason}`,
  );
  return [...empty, ...[...causes.values()].map((group) => sentence(group, devices))];
}

const counts = (device: DeviceSummary, metric: MetricSummary): boolean =>
  metric.verdict === 'bad' || metric.absence === 'failed' || (metric.verdict === 'warn' && device.vendor !== 'cpu');

/** The worst finding in full, followed by the names of the other figures. */
function sentence(doubts: readonly Doubt[], devices: readonly DeviceSummary[]): string {
  const worst = (doubts.find(({ metric }) => metric.verdict === 'bad') ?? doubts[0])?.metric;
  const reason = worst?.reason ?? 'doubtful';
  const isSame = ({ metric }: Doubt): boolean => (metric.reason ?? 'doubtful') === reason;
  const same = labelsOf(doubts.filter(isSame));
  const others = doubts.filter((doubt) => !isSame(doubt));
  const further = labelsOf(others).filter((label) => !same.includes(label));
  const likewise =
    others.length === 0 ? '' : further.length === 0 ? '; the others likewise' : `; likewise ${listed(further)}`;
  const where = devicesWords(
    doubts.map(({ place }) => place),
    devices,
  );
  return `${where}: ${listed(same)}: ${reason}${likewise}`;
}

const labelsOf = (doubts: readonly Doubt[]): string[] => [
  ...new Set(doubts.map(({ metric }) => metricLabel(metric.metric))),
];

function listed(labels: readonly string[]): string {
  if (labels.length <= NAMED_FIGURES_MAX) return labels.join(', ');
  const named = labels.slice(0, NAMED_FIGURES_MAX - 1);
  return `${named.join(', ')} and ${labels.length - named.length} more`;
}

/**
 * One warning if cards of this node were measured by different engines: each figure is right, but the node's sums and
 * comparisons mix two programs. Lists the smaller group, since the usual cause is one card without its library.
 */
export function engineWarnings(devices: readonly DeviceSummary[]): string[] {
  const causes = gemmMetrics.flatMap((metric) => {
    const places = (engine: MatrixEngine): number[] =>
      devices.flatMap((device, place) =>
        device.metrics.some((one) => one.metric === metric && one.engine === engine) ? [place] : [],
      );
    const [vendor, own] = [places('vendor'), places('own')];
    return vendor.length === 0 || own.length === 0 ? [] : [{ metric, words: bothEngines(vendor, own, devices) }];
  });
  return [...Map.groupBy(causes, ({ words }) => words)].map(
    ([words, group]) => `${group.map(({ metric }) => metricLabel(metric)).join(', ')}: ${words}`,
  );
}

function bothEngines(vendor: readonly number[], own: readonly number[], devices: readonly DeviceSummary[]): string {
  const by = (engine: MatrixEngine, places: readonly number[]): string => {
    const named = places.length <= NAMED_BY_ENGINE_MAX && places.length <= Math.min(vendor.length, own.length);
    const which = named ? ` (${devicesWords(places, devices)})` : '';
    return `${places.length} with ${engineNames[engine]}${which}`;
  };
  return `${by('vendor', vendor)}, ${by('own', own)}: the sums mix both; run with --engine own to compare the cards`;
}
