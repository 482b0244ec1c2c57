import { figureLimits, MOST_OF_ANY } from '../contract/figure-limits.ts';
import { isDeviceMetric, type QuickMarkTestResult } from '../contract/quick-mark.ts';

/** A figure without a field of its own: it exists only in `details`. */
export interface DetailFigure {
  metric: string;
  value: number;
  record: Readonly<Record<string, unknown>>;
}

/** Runners have 16 of them. Each adds a verdict, and the verdicts of a device must stay within its size bounds. */
const MOST = 40;
const plainName = /^[a-z][a-z0-9_]{0,59}$/;

/**
 * fp64 products, multiply-add and issue peaks, latencies and whatever else a runner measures, sorted by name: Postgres reorders
 * the members of a stored object, and the figures shown must be the ones that were judged.
 */
export function detailFigures({ details }: Pick<QuickMarkTestResult, 'details'>): DetailFigure[] {
  return Object.entries(details)
    .flatMap(([metric, record]): DetailFigure[] => {
      if (typeof record !== 'object' || record === null || !plainName.test(metric) || isDeviceMetric(metric)) return [];
      const facts = record as Record<string, unknown>;
      const { value } = facts;
      return typeof value === 'number' && value >= 0 && value <= mostOf(metric)
        ? [{ metric, value, record: facts }]
        : [];
    })
    .toSorted((a, b) => (a.metric < b.metric ? -1 : 1))
    .slice(0, MOST);
}

/** The limit of the fields with the same unit. */
const mostOf = (metric: string): number =>
  metric.endsWith('_tflops')
    ? figureLimits.fp8_tflops
    : metric.endsWith('_gbs')
      ? figureLimits.l2_bandwidth_gbs
      : MOST_OF_ANY;
