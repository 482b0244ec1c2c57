import { countProvidersByCountry, selectProviders } from '../../../coordinator/market/queries/prices.ts';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import type { MarketDatabase } from './market-database.ts';

const ROUNDS = 9;
/** Milliseconds: every request waits this long once after each ingestion. */
const BAR = 100;

/** What it costs to refill the readers' cache of providers after an ingestion. */
export async function benchProviders({ context: { sql } }: MarketDatabase): Promise<BenchRow> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await Promise.all([selectProviders(sql), countProvidersByCountry(sql)]);
    times.push(performance.now() - startedAt);
  }
  const ours = median(times);
  return {
    name: 'providers after ingestion',
    ours,
    peer: BAR,
    unit: 'ms',
    ratio: ours / BAR,
    target: { atMost: 1 },
    note: `the bar; median of ${ROUNDS}, the slowest ${Math.max(...times).toFixed(0)} ms`,
  };
}
