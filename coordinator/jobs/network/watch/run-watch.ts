import type { NetworkPollResponse } from '../../../contract/network-protocol.ts';
import type { Platform } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';
import { pollMs } from '../network-times.ts';
import { createLayouts } from '../planning/layout.ts';
import { planNext } from '../planning/plan-next.ts';
import type { Planner } from '../planning/step.ts';
import type { PlanView } from '../plan-for-node.ts';
import { markReturned, readRun, readRunSeen } from '../queries/runs.ts';
import { keyOf, type RunKey } from '../run-row.ts';
import { answerPoll } from './answer-poll.ts';
import { loadView } from './load-view.ts';

/** How often the row is read while polls wait: what other replicas plan is noticed after this at the latest. */
const LOOK_MS = 250;
/** A run that nobody has asked for so long is forgotten; the next request reads it again. */
const FORGET_MS = 30_000;

/** All that one process has to do with runs, so that 256 waiting polls cost one query, not 256. */
export interface RunWatch {
  /** Answers at once where there is a newer plan than `have` or the run has ended, else within `pollMs`. Counts as a sign of life. */
  poll: (key: RunKey, node: number, have: number) => Promise<NetworkPollResponse>;
  /** The node was heard of; written with the next look. */
  heard: (key: RunKey, node: number) => void;
  /** Something has changed that waiting polls may want to know. */
  look: (key: RunKey) => void;
}

interface Waiting {
  have: number;
  resolve: (answer: NetworkPollResponse) => void;
  reject: (error: unknown) => void;
  timer: NodeJS.Timeout;
}

interface Watched {
  key: RunKey;
  waiting: Map<number, Waiting>;
  heard: Set<number>;
  view: PlanView | null;
  /** performance.now() when the view's row was read */
  readAt: number;
  looking: boolean;
  again: boolean;
  timer: NodeJS.Timeout | undefined;
  usedAt: number;
}

interface Options {
  platform: Pick<Platform, 'sql' | 'log' | 'now'>;
  isDraining: () => boolean;
}

export function createRunWatch({ platform, isDraining }: Options): RunWatch {
  const { sql, log } = platform;
  const planner: Planner = { sql, log, now: platform.now, layouts: createLayouts() };
  const runs = new Map<string, Watched>();
  let returned: Promise<void> | undefined;

  const find = (key: RunKey): Watched => {
    const watched = runs.get(keyOf(key)) ?? unwatched(key);
    runs.set(keyOf(key), watched);
    watched.usedAt = performance.now();
    return watched;
  };

  const look = (watched: Watched): void => {
    watched.again = true;
    if (watched.looking) return;
    watched.looking = true;
    clearTimeout(watched.timer);
    lookOn(watched).then(
      () => schedule(watched),
      (error: unknown) => {
        log.error(
          { err: error, job_id: watched.key.jobId },
          'a network run could not be read or planned; it is tried again',
        );
        watched.again = false;
        schedule(watched);
      },
    );
  };

  const lookOn = async (watched: Watched): Promise<void> => {
    try {
      // Before the first look of this process: it may have been away, and nobody is to be lost for that.
      await (returned ??= markReturned(sql));
    } catch (error) {
      returned = undefined;
      throw error;
    }
    while (watched.again) {
      watched.again = false;
      await refresh(planner, watched);
      answerWaiting(watched);
    }
  };

  const answerWaiting = (watched: Watched): void => {
    const { view } = watched;
    if (view === null) return;
    for (const [node, { have }] of watched.waiting) {
      const isNews = view.run.sequence > have || view.run.state === 'ended';
      if (isNews || isDraining()) answer(watched, view, node);
    }
  };

  const schedule = (watched: Watched): void => {
    watched.looking = false;
    if (watched.again) return look(watched);
    const idle = watched.waiting.size === 0 && watched.heard.size === 0;
    if (idle && (performance.now() - watched.usedAt > FORGET_MS || watched.view?.run.state === 'ended'))
      return void runs.delete(keyOf(watched.key));
    const untilDue = watched.view === null ? LOOK_MS : watched.view.run.due_ms - nowOf(watched);
    const pause = idle ? FORGET_MS : Math.max(1, Math.min(LOOK_MS, untilDue));
    watched.timer = setTimeout(() => look(watched), pause);
    if (idle) watched.timer.unref();
  };

  return {
    heard: (key, node) => {
      const watched = find(key);
      watched.heard.add(node);
      if (watched.waiting.size === 0) look(watched);
    },
    look: (key) => look(find(key)),
    poll: (key, node, have) => {
      const watched = find(key);
      watched.heard.add(node);
      // One poll of a node waits at a time; the one before it was given up by its agent, or is of an older session.
      release(watched, node);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => release(watched, node), pollMs);
        watched.waiting.set(node, { have, resolve, reject, timer });
        look(watched);
      });
    },
  };
}

const unwatched = (key: RunKey): Watched => ({
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
const nowOf = ({ view, readAt }: Watched): number => (view?.run.now_ms ?? 0) + performance.now() - readAt;

/** One look: writes who was heard of, plans what is due, reads what is new. */
async function refresh(planner: Planner, watched: Watched): Promise<void> {
  const { key } = watched;
  const heard = [...watched.heard];
  watched.heard.clear();
  let run = await readRunSeen(planner.sql, key, heard);
  if (run && run.state !== 'ended' && run.due_ms <= run.now_ms) {
    await planNext(planner, key);
    run = await readRun(planner.sql, key);
  }
  if (!run) throw new Error('the run is gone');
  const before = watched.view;
  const same = before !== null && before.run.sequence === run.sequence && before.run.state === run.state;
  watched.view = same ? { ...before, run } : await loadView(planner.sql, planner.layouts, run);
  watched.readAt = performance.now();
  // A coordinator is back somewhere and waits to hear of every node: those that wait here come again at once.
  if (before !== null && before.run.returned_ms !== run.returned_ms)
    for (const node of watched.waiting.keys()) answer(watched, watched.view, node);
}

/** Answers the poll of a node that waits, with nothing new where there is nothing. */
function answer(watched: Watched, view: PlanView, node: number): void {
  const waiting = watched.waiting.get(node);
  if (!waiting) return;
  clearTimeout(waiting.timer);
  watched.waiting.delete(node);
  try {
    waiting.resolve(answerPoll(view, node, { have: waiting.have, nowMs: nowOf(watched) }));
  } catch (error) {
    // What is wrong with one node's plan keeps no other poll waiting.
    waiting.reject(error);
  }
}

function release(watched: Watched, node: number): void {
  if (watched.view !== null) return answer(watched, watched.view, node);
  const waiting = watched.waiting.get(node);
  watched.waiting.delete(node);
  waiting?.reject(new DomainError('unavailable', 'The run could not be read in time.', { retryAfterSeconds: 1 }));
}
