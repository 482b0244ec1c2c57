import type { CreateJobRequest } from '../contract/job.ts';
import { canonicalJson } from '../contract/result-key.ts';
import { benchmarkNames, type BenchmarkItem } from '../lifecycle/benchmarks.ts';
import { checkNetworkConfig } from '../network/check-config.ts';
import { invalidField } from '../platform/errors.ts';

/**
 * The sequence a job runs: what was asked for, with quick_mark first where it was not named. Throws a validation error
 * for an unknown id, a wrong config and for the same id with the same config twice.
 */
export function benchmarkSequence(asked: CreateJobRequest['benchmarks']): BenchmarkItem[] {
  const items = asked.map((item) =>
    typeof item === 'string'
      ? { benchmark_id: item, config: null }
      : { benchmark_id: item.benchmark_id, config: item.config ?? null },
  );
  for (const { benchmark_id } of items) {
    if (!Object.hasOwn(benchmarkNames, benchmark_id)) {
      const known = Object.keys(benchmarkNames).join(', ');
      throw invalidField(
        'benchmarks',
        `names the unknown benchmark ${JSON.stringify(benchmark_id)}; known are ${known}`,
      );
    }
  }
  for (const [place, item] of items.entries()) {
    if (item.benchmark_id === 'cluster_network') checkNetworkConfig(item.config, `benchmarks[${place}].config`);
  }
  const keys = items.map((item) => `${item.benchmark_id} ${canonicalJson(item.config)}`);
  const twice = items[keys.findIndex((key, index) => keys.indexOf(key) !== index)];
  if (twice) throw invalidField('benchmarks', `names ${twice.benchmark_id} twice with the same config`);
  const hasQuickMark = items.some((item) => item.benchmark_id === 'quick_mark');
  return hasQuickMark ? items : [{ benchmark_id: 'quick_mark', config: null }, ...items];
}
