import type { Tier } from '../run/run-options.ts';
import printed from './registry.json' with { type: 'json' };

/** A benchmark of the runner, in the order of a run. */
interface Benchmark {
  id: string;
  metrics: readonly string[];
  seconds: Readonly<Record<Tier, number>>;
  /** Measured on all GPUs of a node at once too. */
  together: boolean;
  /** It spans whatever runs beside it, and takes no time of its own. */
  spans: boolean;
}

interface Metric {
  unit: string;
  /** For people. */
  label: string;
  /** Over its column in the live table; null: it has none. */
  column: string | null;
  /** How the figures of several processes come together, if it spans what runs beside it. */
  over_pieces: string | null;
}

/**
 * What the runner prints of its registry (`--registry`): the one place of benchmarks, metrics, labels and times. `make
 * native` writes the file anew; the metrics are in the order of a summary.
 */
const registry: {
  benchmarks: readonly Benchmark[];
  metrics: Readonly<Record<string, Metric>>;
  plan: Readonly<Record<'warm_up_seconds' | 'matrix_seconds', Readonly<Record<Tier, number>>>>;
} = printed;

export const { benchmarks, metrics, plan } = registry;

export const metricLabel = (metric: string): string => metrics[metric]?.label ?? metric;

const order: ReadonlyMap<string, number> = new Map(Object.keys(metrics).map((metric, index) => [metric, index]));
/** Place in a summary; what the registry does not name follows in the order of arrival. */
export const metricRank = (metric: string): number => order.get(metric) ?? order.size;
