import { leadMs } from '../../../coordinator/network/network-times.ts';
import type { Crowd } from './crowd.ts';

/** How one plan came to the nodes. Milliseconds from when it was due, or from when the poll was sent if that was later. */
export interface EpochTimes {
  sequence: number;
  answers: number;
  first_ms: number;
  middle_ms: number;
  last_ms: number;
  /** seconds since the coordinator was last there again, when it was due; null: has not been away */
  since_return_s: number | null;
}

/** The successors of running epochs, in order. */
export function crowdEpochs({ agents, outages }: Crowd): EpochTimes[] {
  const followers = agents
    .flatMap((agent) => agent.arrivals)
    .flatMap(({ kind, startsAt, follows, ...rest }) =>
      kind === 'slots' && startsAt !== null && follows ? [{ ...rest, due: startsAt - leadMs }] : [],
    );
  return [...Map.groupBy(followers, ({ sequence }) => sequence)].map(([sequence, arrivals]) => {
    const waits = arrivals
      .map(({ due, askedAt, arrivedAt }) => arrivedAt - Math.max(due, askedAt))
      .toSorted((a, b) => a - b);
    const due = arrivals[0]?.due ?? 0;
    const returned = outages.findLast(({ readyAt }) => readyAt < due);
    return {
      sequence,
      answers: waits.length,
      first_ms: waits[0] ?? 0,
      middle_ms: waits[Math.floor(waits.length / 2)] ?? 0,
      last_ms: waits.at(-1) ?? 0,
      since_return_s: returned ? (due - returned.readyAt) / 1000 : null,
    };
  });
}
