import type { NetworkPollResponse } from '../../contract/network-protocol.ts';
import type { Platform } from '../../platform/context.ts';
import { onNews } from '../../platform/db/news.ts';
import { pollMs } from '../network-times.ts';
import { createLayouts } from '../planning/layout.ts';
import { planNext } from '../planning/plan-next.ts';
import type { Planner } from '../planning/step.ts';
import { markReturned, readRunSeen, readRun } from '../queries/runs.ts';
import { keyOf, type RunKey } from '../run-row.ts';
import { loadView } from './load-view.ts';
import { answerWaiting, nowOf, release, unwatched, type Watched } from './watched.ts';

/** Interval at which the row is read while polls wait: the maximum delay until other replicas' plans are noticed. */
const LOOK_MS = 250;

/** A run without requests for this long is dropped from memory; the next request reads it again. */
const FORGET_MS = 30_000;

/** Watches runs for all polls of one process, so that 256 waiting polls cost one query, not 256. */
export interface RunWatch {
  /**
   * Answers at once if there is a newer plan than `have` or the run has ended, otherwise within `pollMs`. Counts as a
   * sign of life.
   */
  poll: (key: RunKey, node: number, have: number) => Promise<NetworkPollResponse>;
  /** Notes a sign of life of the node; written with the next read. */
  heard: (key: RunKey, node: number) => void;
  /** Requests a read, because something may have changed for waiting polls. */
  look: (key: RunKey) => void;
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
      () => schedule(watched, nowOf(watched)),
      (error: unknown) => {
        log.error({ err: error, job_id: watched.key.jobId }, 'a network run could not be advanced; it is tried again');
        watched.again = false;
        schedule(watched, null);
      },
    );
  };

  const lookOn = async (watched: Watched): Promise<void> => {
    // Before this process first reads a run: the coordinator may have been down, and no node may be marked as lost for
    // that.
    returned ??= markReturned(sql);
    await returned.catch((error: unknown) => {
      returned = undefined;
      throw error;
    });
    while (watched.again) {
      watched.again = false;
      await lookAtRun(planner, watched, isDraining);
    }
  };

  /** `now` null: the read has failed; do not hurry the next one for a due step. */
  const schedule = (watched: Watched, now: number | null): void => {
    watched.looking = false;
    if (watched.again) return look(watched);
    const idle = watched.waiting.size === 0 && watched.heard.size === 0;
    if (idle && (performance.now() - watched.usedAt > FORGET_MS || watched.view?.run.state === 'ended'))
      return void runs.delete(keyOf(watched.key));
    const untilDue = watched.view === null || now === null ? LOOK_MS : watched.view.run.due_ms - now;
    watched.timer = setTimeout(() => look(watched), idle ? FORGET_MS : Math.max(1, Math.min(LOOK_MS, untilDue)));
    // The timer must not keep the process alive, in particular one that has lost its database for good; waiting polls
    // do keep it alive.
    watched.timer.unref();
  };

  // Notification that another process has planned.
  onNews(sql, 'run', () => {
    for (const watched of runs.values()) if (watched.waiting.size > 0) look(watched);
  });

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
      // Only one poll per node waits; the previous one was abandoned by its agent, or belongs to an older session.
      release(watched, node);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => release(watched, node), pollMs);
        watched.waiting.set(node, { have, resolve, reject, timer });
        look(watched);
      });
    },
  };
}

/** One pass over a run: writes the signs of life, plans a due step, reads changes, and answers waiting polls. */
async function lookAtRun(planner: Planner, watched: Watched, isDraining: () => boolean): Promise<void> {
  const { key } = watched;
  const heard = [...watched.heard];
  let run = await readRunSeen(planner.sql, key, heard);
  for (const node of heard) watched.heard.delete(node);
  if (run && run.state !== 'ended' && run.due_ms <= run.now_ms) {
    await planNext(planner, key);
    run = await readRun(planner.sql, key);
  }
  if (!run) throw new Error('the run is gone');
  const readAt = performance.now();
  const before = watched.view;
  const same = before !== null && before.run.sequence === run.sequence && before.run.state === run.state;
  watched.view = same ? { ...before, run } : await loadView(planner.sql, planner.layouts, run);
  watched.readAt = readAt;
  // A restarted coordinator waits for a sign of life from every node: release the waiting polls, so that they come
  // again at once.
  const isReturn = before !== null && before.run.returned_ms !== run.returned_ms;
  answerWaiting(watched, { all: isReturn || isDraining() });
}
