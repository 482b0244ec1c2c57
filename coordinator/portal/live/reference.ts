import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { healthyRange } from '../../figures/sheet-words.ts';
import { UNDERPERFORMING_BELOW } from '../../lifecycle/performance/compare.ts';
import { digits } from '../components/numbers.ts';
import type { JobView } from './job-view.ts';

/** What healthy devices reach of a figure, in its unit, and where that is known from. */
export interface Reference {
  low: number;
  high: number;
  words: string;
}

/** Of the job's model; null if only a peak is known, with which no card can be compared. */
export function referenceOf({ job }: JobView, metric: QuickMarkMetric): Reference | null {
  const compared = job.performance?.metrics.find((one) => one.metric === metric);
  if (compared === undefined || compared.expected === null) return null;
  const { expected, basis, floor } = compared;
  if (basis === 'peers') {
    const least = floor ?? UNDERPERFORMING_BELOW;
    const machines = `${compared.sample_size} ${compared.sample_size === 1 ? 'machine' : 'machines'}`;
    return {
      low: expected * least,
      high: expected * (2 - least),
      words: `others with this model: ${digits(expected)}, ${machines}`,
    };
  }
  const [model, ...others] = job.gpu_models ?? [];
  const range = model === undefined || others.length > 0 ? null : healthyRange(model, metric);
  if (range === null) return null;
  const [low, high] = [range.low * expected, range.high * expected];
  return { low, high, words: `healthy cards of this model: ${digits(low)} to ${digits(high)}` };
}
