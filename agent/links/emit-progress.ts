import type { NetworkPollResponse } from '../../coordinator/contract/network-protocol.ts';
import type { NetworkEvent } from '../run/network-event.ts';
import type { Emit } from '../run/run-event.ts';
import type { NetworkSummary } from '../run/run-summary.ts';
import type { LinkClock } from './link-clock.ts';

/** Progress at the start of each phase, as a share of the whole; the rounds take most of it. */
const SHARES: Readonly<Record<NetworkPollResponse['state'], number>> = {
  joining: 0,
  preflight: 0.05,
  ring: 0.1,
  rounds: 0.12,
  retests: 0.88,
  collective: 0.94,
  ended: 1,
};

/** Emits the progress that an answer shows, and updates the summary's counts. */
export function emitProgress(
  emit: Emit,
  clock: LinkClock,
  summary: NetworkSummary,
  onProgress: (share: number) => void,
): (answer: NetworkPollResponse) => void {
  let said = '';
  return ({ state, progress, ended }) => {
    const { ends_at_ms, ...counts } = progress;
    summary.nodes_joined = counts.nodes_joined;
    summary.nodes_lost = counts.nodes_lost;
    onProgress(shareOf(state, counts.rounds_done, counts.rounds));
    const key = JSON.stringify([state, counts]);
    if (key === said) return;
    said = key;
    const event: NetworkEvent = {
      type: 'network',
      item: summary.item,
      node: summary.node ?? 0,
      state,
      ...counts,
      ends_in_seconds: ends_at_ms === null ? null : Math.max(0, Math.round((ends_at_ms - clock.now_ms()) / 1000)),
      outcome: ended?.outcome ?? null,
      message: ended?.message ?? null,
    };
    emit(event);
  };
}

function shareOf(state: NetworkPollResponse['state'], done: number, rounds: number | null): number {
  const within = state === 'rounds' && rounds !== null && rounds > 0 ? done / rounds : 0;
  return SHARES[state] + within * (SHARES.retests - SHARES.rounds);
}
