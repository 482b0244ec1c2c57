import { networkTimes } from '../../coordinator/contract/network-protocol.ts';
import type { CoordinatorClock } from './link-clock.ts';
import type { NetworkClient } from './network-client.ts';

/**
 * Asks for the coordinator's time eight times, or until its error is at most `enoughMs` or the deadline (of our monotonic clock)
 * has passed. A question that fails is left out.
 * @returns whether the coordinator answered at all
 */
export async function refreshClock(
  client: NetworkClient,
  clock: CoordinatorClock,
  { enoughMs, monotonicMs, deadlineMs }: { enoughMs: number; monotonicMs: () => number; deadlineMs: number },
): Promise<boolean> {
  let answers = 0;
  for (let asked = 0; asked < networkTimes.sync_count; asked += 1) {
    if (clock.error_ms <= enoughMs || (asked > 0 && monotonicMs() >= deadlineMs)) break;
    const sample = await client.sync().catch(() => null);
    if (sample === null) continue;
    clock.note(sample);
    answers += 1;
  }
  return answers > 0;
}
