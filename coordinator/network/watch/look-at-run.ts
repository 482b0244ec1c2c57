import { planNext } from '../planning/plan-next.ts';
import type { Planner } from '../planning/step.ts';
import { readRun, readRunSeen } from '../queries/runs.ts';
import { loadView } from './load-view.ts';
import { answerWaiting, type Watched } from './watched.ts';

/** One look at a run: writes who was heard of, plans what is due, reads what is new, answers who waits for it. */
export async function lookAtRun(planner: Planner, watched: Watched, isDraining: () => boolean): Promise<void> {
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
