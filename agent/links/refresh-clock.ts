import { networkTimes } from '../../coordinator/contract/network-protocol.ts';
import type { CoordinatorClock } from './link-clock.ts';
import type { NetworkClient } from './network-client.ts';

/**
 * Asks for the coordinator's time eight times, or until its error is at most `enoughMs` or the deadline (of our monotonic clock)
 * has passed, also within a question. A question that fails is left out: what was known of the time before still holds.
 */
export async function refreshClock(
  client: NetworkClient,
  clock: CoordinatorClock,
  { enoughMs, monotonicMs, deadlineMs }: { enoughMs: number; monotonicMs: () => number; deadlineMs: number },
): Promise<void> {
  for (let asked = 0; asked < networkTimes.sync_count; asked += 1) {
    const left = deadlineMs - monotonicMs();
    if (clock.error_ms <= enoughMs || left < 1) break;
    const sample = await client.sync(left).catch(() => null);
    if (sample !== null) clock.note(sample);
  }
}
