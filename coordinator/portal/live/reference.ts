import type { Performance } from '../../contract/performance.ts';
import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { besidePeak, printed, shareOfPeak } from '../../figures/reference-words.ts';
import { UNDERPERFORMING_BELOW } from '../../figures/references.ts';
import { digits } from '../components/numbers.ts';
import type { JobView } from './job-view.ts';

/** What stands beside a figure: what it is held to, and the range in which it is healthy. */
interface Reference {
  /** null: there is no yardstick, and the words say why */
  range: { low: number; high: number } | null;
  words: string;
}

/** Of the job's model; null if nothing is known of it. */
export function referenceOf({ job }: JobView, metric: QuickMarkMetric): Reference | null {
  const compared = job.performance?.metrics.find((one) => one.metric === metric);
  if (compared === undefined || compared.expected === null) return null;
  const { expected, basis, floor = UNDERPERFORMING_BELOW } = compared;
  const range = { low: expected * floor, high: expected * (2 - floor) };
  if (basis === 'peers') return { range, words: besidePeers(compared, expected) };
  return basis === 'reference'
    ? { range, words: besideHealthy(compared, expected) }
    : { range: null, words: besideSheet(compared, expected) };
}

type Compared = Performance['metrics'][number];

function besidePeers({ value, sample_size: count }: Compared, expected: number): string {
  const machines = `${count} ${count === 1 ? 'machine' : 'machines'}`;
  return `${((value / expected) * 100).toFixed(0)} % of what others with this model reach (${digits(expected)}, ${machines})`;
}

function besideHealthy({ value, peak }: Compared, expected: number): string {
  const share = `${((value / expected) * 100).toFixed(0)} % of a healthy card (${printed(expected)})`;
  return peak === undefined ? share : besidePeak(value / peak, peak, share);
}

/** A share of the sheet's peak gives no verdict, whatever it is. */
function besideSheet({ value, not_judged: why }: Compared, expected: number): string {
  const words = shareOfPeak(value / expected, expected);
  return why === undefined ? words : `${words}; ${why}`;
}
