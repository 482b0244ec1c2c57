import { figureCards, type Figure } from '../components/figure-card.ts';
import { digits } from '../components/job-state.ts';
import { medianOf } from '../components/matrix.ts';
import { html, type Html } from '../frame/html.ts';
import type { NodeRow } from '../queries/job-page.ts';
import type { JobView } from './job-view.ts';

const perNode = [
  { column: 'bf16_tflops', metric: 'bf16_tflops', name: 'bf16 matrix multiply, per node', unit: 'TFLOP/s' },
  { column: 'memory_bandwidth_gbs', metric: 'memory_bandwidth_gbs', name: 'Memory bandwidth, per node', unit: 'GB/s' },
  { column: 'host_to_device_bandwidth_gbs', metric: null, name: 'Host to device, per node', unit: 'GB/s' },
  { column: 'device_to_host_bandwidth_gbs', metric: null, name: 'Device to host, per node', unit: 'GB/s' },
] as const satisfies readonly { column: keyof NodeRow; metric: string | null; name: string; unit: string }[];

/** The figures that have arrived, each with how many nodes it is of and how far they spread, and what is thought of it. */
export function figuresOf(view: JobView): Html {
  const cards = perNode.map((wanted): Figure => card(view, wanted));
  return html`${figureCards([...cards, linkCard(view), heatCard(view)])}${engineLine(view)}`;
}

function card({ nodes, job }: JobView, { column, metric, name, unit }: (typeof perNode)[number]): Figure {
  const values = nodes.flatMap((node) => node[column] ?? []).toSorted((a, b) => a - b);
  if (values.length === 0) return { name, value: null, unit, support: missing(nodes, job.node_count) };
  const [low = 0, high = 0] = [values[0], values.at(-1)];
  const support =
    values.length === 1
      ? `1 of ${job.node_count} ${job.node_count === 1 ? 'node' : 'nodes'}, sum of its GPUs`
      : `median of ${values.length} nodes, ${digits(low)} to ${digits(high)}`;
  const compared = job.performance?.metrics.find((one) => one.metric === metric);
  return {
    name,
    value: digits(medianOf(values)),
    unit,
    support,
    verdict: verdictOf(compared?.ratio ?? null, compared?.sample_size ?? 0),
  };
}

/** Below nine tenths of what is expected a figure is called low, as in the interface's `underperforming`. */
function verdictOf(ratio: number | null, machines: number): NonNullable<Figure['verdict']> {
  if (ratio === null) return { tone: 'none', words: 'nothing to compare with yet' };
  const words = `${ratio.toFixed(2)} of expected, ${machines} ${machines === 1 ? 'machine' : 'machines'}`;
  return { tone: ratio < 0.9 ? 'warn' : 'ok', words };
}

const missing = (nodes: readonly NodeRow[], wanted: number): string => {
  if (nodes.length === 0) return `waiting for the first of ${wanted} ${wanted === 1 ? 'node' : 'nodes'}`;
  return nodes.every(({ state }) => state === 'completed' || state === 'failed')
    ? 'not measured on any node'
    : 'not measured yet';
};

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
      support: job.benchmarks.includes('cluster_network')
        ? 'no link measured yet'
        : 'cluster_network is no part of this job',
    };
  const bad = links.filter(({ verdict }) => verdict !== null && verdict !== 'good').length;
  return {
    name,
    value: digits(medianOf(values)),
    unit: 'Gb/s',
    support: `median of ${values.length} directions, ${digits(values[0] ?? 0)} to ${digits(values.at(-1) ?? 0)}`,
    verdict:
      bad === 0
        ? { tone: 'ok', words: 'no bad link' }
        : { tone: 'warn', words: `${bad} ${bad === 1 ? 'link is' : 'links are'} not good` },
  };
}

function heatCard({ job, nodes }: JobView): Figure {
  const name = 'Temperature, hottest GPU';
  const value = job.aggregate?.['temperature_centigrade'];
  if (typeof value !== 'number') return { name, value: null, unit: '°C', support: 'known when all nodes are in' };
  return {
    name,
    value: String(Math.round(value)),
    unit: '°C',
    support: `highest of ${nodes.reduce((sum, node) => sum + (node.gpu_count ?? 0), 0)} GPUs`,
  };
}

const engineLine = ({ job }: JobView): Html =>
  html`<p class="small muted">
    1 TFLOP/s is 10¹² operations a second, 1 GB/s 10⁹ bytes a
    second.${job.engine === null ? null : ` bf16 by the engine ${job.engine}.`}
  </p>`;
