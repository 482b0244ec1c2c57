import { networkTimes } from '../../coordinator/contract/network-protocol.ts';
import type { CoordinatorClock } from './link-clock.ts';
import type { NetworkClient } from './network-client.ts';

/**
 * Requests the coordinator's time up to eight times, until the error is at most `enoughMs` or the deadline (on our
 * monotonic clock) has passed, even in the middle of a request. A failed request is ignored: the previous estimate
 * stays valid.
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
