import { median } from '../../figures/statistics.ts';
import type { Performance } from '../../contract/performance.ts';
import { besidePeak, printed, shareOfPeak } from '../../figures/reference-words.ts';
import { UNDERPERFORMING_BELOW } from '../../figures/references.ts';
import { isBelowFloor } from '../../lifecycle/performance/compare.ts';
import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { figureCards, type Figure } from '../components/figure-card.ts';
import { digits } from '../components/numbers.ts';
import { html, named, type Html } from '../frame/html.ts';
import { isOver, type JobView } from './job-view.ts';
import { isOfProcessors, unitOfDevices } from './hardware.ts';

interface Wanted {
  metric: QuickMarkMetric;
  name: string;
  unit: string;
}

const ofGpus: readonly Wanted[] = [
  { metric: 'bf16_tflops', name: 'bf16 matrix multiply', unit: 'TFLOP/s' },
  { metric: 'memory_bandwidth_gbs', name: 'Memory bandwidth', unit: 'GB/s' },
  { metric: 'host_to_device_bandwidth_gbs', name: 'Host to device', unit: 'GB/s' },
  { metric: 'device_to_host_bandwidth_gbs', name: 'Device to host', unit: 'GB/s' },
  { metric: 'power_consumption_watts', name: 'Power under load', unit: 'W' },
  { metric: 'temperature_centigrade', name: 'Temperature', unit: '°C' },
];
/** A processor has no bus of its own and no bf16 units comparable to a GPU's; fp32 is shown, as in the README's demo. */
const ofProcessors: readonly Wanted[] = [
  { metric: 'fp32_tflops', name: 'fp32 matrix multiply', unit: 'TFLOP/s' },
  { metric: 'memory_bandwidth_gbs', name: 'Memory bandwidth', unit: 'GB/s' },
  { metric: 'l2_bandwidth_gbs', name: 'Last-level cache', unit: 'GB/s' },
  { metric: 'kernel_launch_overhead_us', name: 'Starting a task', unit: 'µs' },
];

/** The figures received so far, each with its sample count, spread and verdict. */
export function figuresOf(view: JobView): Html {
  const wanted = isOfProcessors(view) ? ofProcessors : ofGpus;
  const cards = wanted.map((one) => card(view, one));
  const hasLinks = view.job.benchmarks.includes('cluster_network');
  return html`${figureCards(hasLinks ? [...cards, linkCard(view)] : cards)}
    <p class="small muted">
      1 TFLOP/s is 10¹² operations a second, 1 GB/s 10⁹ bytes a
      second.${view.job.engine === null ? null : ` bf16 by the engine ${view.job.engine}.`}
    </p>`;
}

function card(view: JobView, { metric, name, unit }: Wanted): Figure {
  const one = unitOfDevices(view, 1);
  const title = `${name}, per ${one}`;
  const devices = [...view.figures.values()].flatMap((node) => node.devices);
  const values = devices.flatMap((device) => device.values.get(metric) ?? []).toSorted((a, b) => a - b);
  if (values.length === 0) return { name: title, value: null, unit, support: missing(view, metric) };
  const [low = 0, high = 0] = [values[0], values.at(-1)];
  const spread = devices.find((device) => device.values.has(metric))?.stats.get(metric);
  const single =
    spread === undefined
      ? `one ${one}, one value for the run`
      : `n ${spread.n}, 90 % of them ${digits(spread.p5)} to ${digits(spread.p95)}`;
  const several = `median of ${values.length} ${unitOfDevices(view, values.length)}, ${digits(low)} to ${digits(high)}`;
  return {
    name: title,
    value: digits(median(values)),
    unit,
    support: values.length === 1 ? single : several,
    verdict: verdictOf(view, metric),
  };
}

/**
 * The verdict of the checks on the devices, or else the comparison with peers or with the data sheet: low by the same rule
 * that marks a job as underperforming.
 */
function verdictOf(view: JobView, metric: QuickMarkMetric): NonNullable<Figure['verdict']> {
  const { performance } = view.job;
  const compared = performance?.metrics.find((one) => one.metric === metric);
  const doubts = [...view.figures.values()]
    .flatMap((node) => node.devices)
    .flatMap((device) => device.doubts.get(metric) ?? []);
  const worst = doubts.find(({ verdict }) => verdict === 'bad') ?? doubts[0];
  if (worst) {
    const count = doubts.length === 1 ? `1 ${unitOfDevices(view, 1)}` : `${doubts.length} ${unitOfDevices(view, 2)}`;
    return {
      tone: worst.verdict,
      words: view.viewer.isShared ? `${count} in doubt` : `${count}: ${named(worst.rule)}`,
    };
  }
  if (performance && typeof compared?.ratio === 'number') {
    const isLow = performance.status === 'underperforming' && isBelowFloor(compared);
    const { tone, words } =
      compared.basis === 'peers'
        ? besidePeers(compared, isLow)
        : compared.basis === 'reference'
          ? besideHealthy(compared, isLow)
          : besideSheet(compared, isLow);
    return { tone: performance.status === 'unknown' ? 'none' : tone, words };
  }
  return { tone: 'none', words: 'nothing to compare with yet' };
}

type Compared = Performance['metrics'][number];
type Words = { tone: 'ok' | 'warn' | 'none'; words: string };

function besidePeers({ ratio, floor, sample_size: count }: Compared, isLow: boolean): Words {
  const low = isLow ? `, low below ${floor ?? UNDERPERFORMING_BELOW}` : '';
  const words = `${(ratio ?? 0).toFixed(2)} of expected${low}, ${count} ${count === 1 ? 'machine' : 'machines'}`;
  return { tone: isLow ? 'warn' : 'ok', words };
}

function besideHealthy({ value, peak, expected, floor, ratio }: Compared, isLow: boolean): Words {
  const healthy = `a healthy card reaches ${printed(expected ?? 0)}`;
  const words =
    peak === undefined ? `${((ratio ?? 0) * 100).toFixed(0)} %: ${healthy}` : besidePeak(value / peak, peak, healthy);
  return isLow
    ? { tone: 'warn', words: `${words}, low below ${floor ?? UNDERPERFORMING_BELOW} of that` }
    : { tone: 'ok', words };
}

/** A share of the sheet's peak is never good, whatever it is. */
function besideSheet({ ratio, expected, floor, not_judged }: Compared, isLow: boolean): Words {
  const words = shareOfPeak(ratio ?? 0, expected ?? 0);
  if (isLow) return { tone: 'warn', words: `${words}, low below ${((floor ?? 0) * 100).toFixed(0)} %` };
  return { tone: 'none', words: not_judged === undefined ? words : `${words}; ${not_judged}` };
}

function missing({ nodes, job, figures, viewer }: JobView, metric: QuickMarkMetric): string {
  if (nodes.length === 0)
    return `waiting for the first of ${job.node_count} ${job.node_count === 1 ? 'node' : 'nodes'}`;
  const reason = [...figures.values()].flatMap(({ devices }) => devices).find((device) => device.unavailable[metric]);
  if (reason) return viewer.isShared ? 'not measured' : `not measured: ${named(reason.unavailable[metric] ?? '')}`;
  return isOver(job) || nodes.every(({ state }) => state === 'completed' || state === 'failed')
    ? 'not measured on any node'
    : 'not measured yet';
}

function linkCard({ links, job }: JobView): Figure {
  const name = 'Link bandwidth';
  const values = links
    .flatMap((link) => [link.forward_gbps ?? [], link.reverse_gbps ?? []].flat())
    .toSorted((a, b) => a - b);
  if (values.length === 0)
    return {
      name,
      value: null,
      unit: 'Gb/s',
      support: job.node_count === 1 ? 'one node has no links' : 'no link measured yet',
    };
  const bad = links.filter(({ verdict }) => verdict !== null && verdict !== 'good').length;
  return {
    name,
    value: digits(median(values)),
    unit: 'Gb/s',
    support: `median of ${values.length} directions, ${digits(values[0] ?? 0)} to ${digits(values.at(-1) ?? 0)}`,
    verdict:
      bad === 0
        ? { tone: 'ok', words: 'no bad link' }
        : { tone: 'warn', words: `${bad} of ${links.length} links ${bad === 1 ? 'is' : 'are'} not good` },
  };
}
