import type { NetworkPollResponse } from '../../contract/network-protocol.ts';
import { DomainError } from '../../platform/errors.ts';
import type { PlanView } from '../plan-for-node.ts';
import type { RunKey } from '../run-row.ts';
import { answerPoll } from './load-view.ts';

interface Waiting {
  have: number;
  resolve: (answer: NetworkPollResponse) => void;
  reject: (error: unknown) => void;
  timer: NodeJS.Timeout;
}

/** One process's state of a watched run. */
export interface Watched {
  key: RunKey;
  /** by node */
  waiting: Map<number, Waiting>;
  /** nodes with a sign of life since the last read */
  heard: Set<number>;
  view: PlanView | null;
  /** performance.now() when the view's row was read */
  readAt: number;
  looking: boolean;
  again: boolean;
  timer: NodeJS.Timeout | undefined;
  usedAt: number;
}

export const unwatched = (key: RunKey): Watched => ({
  key,
  waiting: new Map(),
  heard: new Set(),
  view: null,
  readAt: 0,
  looking: false,
  again: false,
  timer: undefined,
  usedAt: 0,
});

/** The database's current time, extrapolated from the last read row. */
export const nowOf = ({ view, readAt }: Watched): number => (view?.run.now_ms ?? 0) + performance.now() - readAt;

/** Answers the polls for which there is news, or all of them. */
export function answerWaiting(watched: Watched, { all }: { all: boolean }): void {
  const { view } = watched;
  if (view === null) return;
  for (const [node, { have }] of watched.waiting)
    if (all || view.run.sequence > have || view.run.state === 'ended') release(watched, node);
}

/** Answers the waiting poll of a node, if any, even without news. */
export function release(watched: Watched, node: number): void {
  const waiting = watched.waiting.get(node);
  if (!waiting) return;
  clearTimeout(waiting.timer);
  watched.waiting.delete(node);
  const { view } = watched;
  try {
    if (view === null)
      throw new DomainError('unavailable', 'The run could not be read in time.', { retryAfterSeconds: 1 });
    waiting.resolve(answerPoll(view, node, { have: waiting.have, nowMs: nowOf(watched) }));
  } catch (error) {
    // An error in one node's plan must not block the other polls.
    waiting.reject(error);
  }
}
