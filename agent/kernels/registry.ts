import type { Tier } from '../run/run-options.ts';
import printed from './registry.json' with { type: 'json' };

/** A benchmark of the runner, in the order of a run. */
interface Benchmark {
  id: string;
  metrics: readonly string[];
  seconds: Readonly<Record<Tier, number>>;
  /** Of a node with several GPUs: for so long also measured on each alone, in turns, while the others wait. 0: not so. */
  turn_seconds: number;
  /** Spans the other benchmarks of the run, and takes no time of its own. */
  spans: boolean;
}

interface Metric {
  unit: string;
  /** For people. */
  label: string;
  /** Heading of its column in the live table; null: no column. */
  column: string | null;
  /** How the figures of several processes are combined, if it spans other benchmarks. */
  over_pieces: string | null;
}

/**
 * The runner's registry (`--registry`): the only definition of benchmarks, metrics, labels and times. `make native`
 * rewrites the file; the metrics are in the order of a summary.
 */
const registry: {
  benchmarks: readonly Benchmark[];
  metrics: Readonly<Record<string, Metric>>;
  plan: Readonly<Record<'warm_up_seconds' | 'matrix_seconds', Readonly<Record<Tier, number>>>>;
} = printed;

export const { benchmarks, metrics, plan } = registry;

export const metricLabel = (metric: string): string => metrics[metric]?.label ?? metric;

const order: ReadonlyMap<string, number> = new Map(Object.keys(metrics).map((metric, index) => [metric, index]));
/** Position in a summary; metrics that are not in the registry follow in the order of arrival. */
export const metricRank = (metric: string): number => order.get(metric) ?? order.size;
