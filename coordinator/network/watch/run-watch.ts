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
        log.error({ err: error, job_id: watched.key.jobId }, 'a network run could not be taken on; it is tried again');
        watched.again = false;
        schedule(watched, null);
      },
    );
  };

  const lookOn = async (watched: Watched): Promise<void> => {
    // Before the first look of this process: it may have been away, and nobody is to be lost for that.
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

  /** `now` null: the look has failed, and the next one is not hurried by what is due. */
  const schedule = (watched: Watched, now: number | null): void => {
    watched.looking = false;
    if (watched.again) return look(watched);
    const idle = watched.waiting.size === 0 && watched.heard.size === 0;
    if (idle && (performance.now() - watched.usedAt > FORGET_MS || watched.view?.run.state === 'ended'))
      return void runs.delete(keyOf(watched.key));
    const untilDue = watched.view === null || now === null ? LOOK_MS : watched.view.run.due_ms - now;
    watched.timer = setTimeout(() => look(watched), idle ? FORGET_MS : Math.max(1, Math.min(LOOK_MS, untilDue)));
    // Looks keep no process alive, least of all one that has lost its database for good: the polls that wait do.
    watched.timer.unref();
  };

  // Another process has planned.
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

/** One look at a run: writes who was heard of, plans what is due, reads what is new, answers who waits for it. */
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
  // A coordinator is back somewhere and waits to hear of every node: those that wait here come again at once.
  const isReturn = before !== null && before.run.returned_ms !== run.returned_ms;
  answerWaiting(watched, { all: isReturn || isDraining() });
}
