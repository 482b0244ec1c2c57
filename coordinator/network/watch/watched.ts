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

/** A run as one process watches it. */
export interface Watched {
  key: RunKey;
  /** by node */
  waiting: Map<number, Waiting>;
  /** nodes that were heard of since the last look */
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

/** The database's time now, by the row that was read last. */
export const nowOf = ({ view, readAt }: Watched): number => (view?.run.now_ms ?? 0) + performance.now() - readAt;

/** Answers the polls that have news to hear, or all of them. */
export function answerWaiting(watched: Watched, { all }: { all: boolean }): void {
  const { view } = watched;
  if (view === null) return;
  for (const [node, { have }] of watched.waiting)
    if (all || view.run.sequence > have || view.run.state === 'ended') release(watched, node);
}

/** Answers the poll of a node, if one waits, with nothing new where there is nothing. */
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
    // What is wrong with one node's plan keeps no other poll waiting.
    waiting.reject(error);
  }
}
