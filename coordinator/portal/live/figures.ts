import { median, orNull } from '../../figures/statistics.ts';
import { isGemmMetric } from '../../contract/matrix-engine.ts';
import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { figureCards, type Figure, type GradeCounts } from '../components/figure-card.ts';
import { digits } from '../components/numbers.ts';
import { html, named, type Html } from '../frame/html.ts';
import { deviceGrades } from './device-grades.ts';
import { isOver, type JobView } from './job-view.ts';
import { isOfProcessors, unitOfDevices } from './hardware.ts';
import { referenceOf } from './reference.ts';

interface Wanted {
  name: string;
  metric: QuickMarkMetric;
  /** before the count of devices: "bf16 per GPU" */
  what: string;
  unit: string;
  /** figures whose findings count on this card */
  holds: (metric: string) => boolean;
}

const isCompute = (metric: string): boolean => isGemmMetric(metric) || /_tflops$|^clock_ghz$/.test(metric);
const isMemory = (metric: string): boolean => /^(memory|l2|march)_/.test(metric);
const isOfHost = (metric: string): boolean => /^(host_to_device|device_to_host)_/.test(metric);

const compute: Wanted = { name: 'Compute', metric: 'bf16_tflops', what: 'bf16', unit: 'TFLOP/s', holds: isCompute };
/** A processor has no bf16 units comparable to a GPU's. */
const ofProcessors: Wanted = { ...compute, metric: 'fp32_tflops', what: 'fp32' };
const memory: Wanted = {
  name: 'Memory',
  metric: 'memory_bandwidth_gbs',
  what: 'bandwidth',
  unit: 'GB/s',
  holds: isMemory,
};
const host: Wanted = {
  name: 'Links',
  metric: 'host_to_device_bandwidth_gbs',
  what: 'host to device',
  unit: 'GB/s',
  holds: isOfHost,
};

/** Compute, memory and links: the figure, its place beside the reference, and how many devices are good, to check and bad. */
export function figuresOf(view: JobView): Html {
  const areProcessors = isOfProcessors(view);
  const cards = [deviceCard(view, areProcessors ? ofProcessors : compute), deviceCard(view, memory)];
  const links = networkCard(view) ?? copiesCard(view) ?? (areProcessors ? null : deviceCard(view, host));
  return html`<h2 class="vh">Figures</h2>
    ${figureCards(links === null ? cards : [...cards, links])}`;
}

function deviceCard(view: JobView, { name, metric, what, unit, holds }: Wanted): Figure {
  const devices = [...view.figures.values()].flatMap((node) => node.devices);
  const values = devices.flatMap((device) => device.values.get(metric) ?? []).toSorted((a, b) => a - b);
  const one = unitOfDevices(view, 1);
  if (values.length === 0) return { name, value: null, unit, support: `${what} per ${one}: ${missing(view, metric)}` };
  const [low = 0, high = 0] = [values[0], values.at(-1)];
  const samples = devices.find((device) => device.values.has(metric))?.stats.get(metric);
  const single =
    samples === undefined ? 'one value' : `n ${samples.n}, ${digits(samples.p5)} to ${digits(samples.p95)}`;
  const several = `median of ${values.length}, ${digits(low)} to ${digits(high)}`;
  const middle = median(values);
  const reference = referenceOf(view, metric);
  return {
    name,
    value: digits(middle),
    unit,
    support: `${what} per ${one}, ${values.length === 1 ? single : several}`,
    ...(reference === null ? {} : { beside: reference.words }),
    ...(reference === null || reference.range === null
      ? {}
      : { bar: { value: middle, least: low, most: high, ...reference.range } }),
    counts: countsOf(view, holds),
  };
}

/** Devices by their worst finding about these figures. */
function countsOf(view: JobView, holds: (metric: string) => boolean): GradeCounts {
  const grades = deviceGrades(view, (finding) => finding.figures.some(holds));
  const all = view.nodes.flatMap(({ id, node }) =>
    (view.figures.get(id)?.devices ?? []).map((_, device) => grades.of(node, device)),
  );
  const count = (grade: string): number => all.filter((one) => one === grade).length;
  return { good: count('good'), check: count('check'), bad: count('bad') };
}

function missing({ nodes, job, figures, viewer }: JobView, metric: QuickMarkMetric): string {
  if (nodes.length === 0 && !isOver(job)) return 'no node has joined yet';
  const reason = [...figures.values()].flatMap(({ devices }) => devices).find((device) => device.unavailable[metric]);
  if (reason) return viewer.isShared ? 'not measured' : `not measured: ${named(reason.unavailable[metric] ?? '')}`;
  return isOver(job) || nodes.every(({ state }) => state === 'completed' || state === 'failed')
    ? 'not measured on any node'
    : 'not measured yet';
}

/** Between nodes; null for a job without such links. */
function networkCard({ links, job, judgement }: JobView): Figure | null {
  if (!job.benchmarks.includes('cluster_network') || job.node_count === 1) return null;
  const [name, unit] = ['Links', 'Gb/s'];
  const values = links.flatMap((link) => [link.forward_gbps ?? [], link.reverse_gbps ?? []].flat());
  if (values.length === 0)
    return { name, value: null, unit, support: isOver(job) ? 'no link was measured' : 'no link measured yet' };
  const expected = orNull(
    median(links.flatMap((link) => [link.expected_forward_gbps ?? [], link.expected_reverse_gbps ?? []].flat())),
  );
  const middle = median(values);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return {
    name,
    value: digits(middle),
    unit,
    support: `between nodes, median of ${values.length} directions, ${digits(least)} to ${digits(most)}`,
    ...(expected === null
      ? {}
      : {
          bar: {
            value: middle,
            least,
            most,
            low: AS_EXPECTED * expected,
            high: expected,
          },
          beside: `${((middle / expected) * 100).toFixed(0)} % of this job's expected ${digits(expected)}`,
        }),
    counts: ofLinks(judgement),
  };
}

/** A direction below this share of what is expected of it is marked in the matrix. */
const AS_EXPECTED = 0.95;

/** Between the GPUs of a node; null if none were copied. */
function copiesCard({ figures, judgement }: JobView): Figure | null {
  const values = [...figures.values()].flatMap(({ copies }) => copies.flatMap(({ simplex_gbs: speed }) => speed ?? []));
  if (values.length === 0) return null;
  return {
    name: 'Links',
    value: digits(median(values)),
    unit: 'GB/s',
    support: `between GPUs, median of ${values.length} copies, ${digits(values.reduce((a, b) => Math.min(a, b)))} to ${digits(values.reduce((a, b) => Math.max(a, b)))}`,
    counts: ofLinks(judgement),
  };
}

const ofLinks = ({ verdict: { links } }: JobView['judgement']): GradeCounts => ({
  good: links.of - links.bad - links.check,
  check: links.check,
  bad: links.bad,
});
