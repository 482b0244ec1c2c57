import {
  aggregatedMetrics,
  aggregateFigures,
  mixesProcessorsWithGpus,
} from '../../coordinator/figures/aggregate-figures.ts';
import type { QuickMarkAggregate, QuickMarkTestResult } from '../../coordinator/contract/quick-mark.ts';

/** Null figures of the aggregate say why: metric -> the devices that lack it and their reasons. */
type AggregateWithReasons = QuickMarkAggregate & { unavailable: Record<string, string> };

/**
 * `quick_mark.aggregate_results` of a node; with one device it equals that device's figures.
 * @throws RangeError for no devices, or for processors mixed with GPUs, which never add up
 */
export function aggregate(results: readonly QuickMarkTestResult[]): AggregateWithReasons {
  if (results.length === 0) throw new RangeError('there are no results to aggregate');
  if (mixesProcessorsWithGpus(results.map((result) => result.vendor))) {
    throw new RangeError('results of processors and of GPUs cannot be aggregated');
  }
  const unavailable = aggregatedMetrics.flatMap((metric) => {
    const missing = results.filter((result) => result[metric] === null);
    const reasons = missing.map((result) => `${result.gpu_id}: ${result.unavailable[metric] ?? 'not measured'}`);
    return reasons.length === 0 ? [] : [[metric, reasons.join('; ')] as const];
  });
  return { ...aggregateFigures(results), unavailable: Object.fromEntries(unavailable) };
}
