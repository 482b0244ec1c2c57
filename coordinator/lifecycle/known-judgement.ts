import type { Judgement } from '../contract/judgement.ts';
import { jobJudgement, sameNode } from '../figures/findings/job-judgement.ts';
import { nodeJudgement } from '../figures/findings/node-judgement.ts';
import { type StoredTask, taskJudgement, warningFinding } from '../figures/findings/task-judgement.ts';
import { judgeStored } from '../figures/judge-results.ts';
import type { Context } from '../platform/context.ts';
import { selectUnjudged, updateJudgement } from './queries/rows.ts';
import { selectQuickMarks } from './queries/summary.ts';
import { taskHasEnded } from './states.ts';

/**
 * What is known of a task: null before its results and its end, and of one that was completed before there were judgements until
 * `judgeOldTasks` has come to it: its results are there, so it would not be true that nothing was measured.
 */
export function knownOfTask(task: StoredTask): Judgement | null {
  const { judgement, state, warnings } = task;
  if (judgement !== null) return taskJudgement(task);
  const isSilent = warnings.length === 0 && state !== 'lost' && !taskHasEnded(state);
  return isSilent || isUnjudged(task) ? null : taskJudgement(task);
}

const isUnjudged = ({ judgement, state }: StoredTask): boolean => judgement === null && state === 'completed';

/** Tasks judged with one statement each, then the rest. */
const MOST_AT_A_TIME = 200;

/** Called every minute: judges tasks that ended without a judgement, those of earlier releases. Returns how many there were. */
export async function judgeOldTasks({ sql, log }: Pick<Context, 'sql' | 'log'>): Promise<number> {
  const ids = await selectUnjudged(sql, MOST_AT_A_TIME);
  for (const id of ids) {
    try {
      const measured = (await selectQuickMarks(sql, id)).map((results) => nodeJudgement(judgeStored(results)));
      await updateJudgement(sql, id, measured.length === 0 ? nodeJudgement(null) : sameNode(measured));
    } catch (error) {
      log.warn({ err: error, task_id: id }, 'the stored results of this task cannot be judged');
      await updateJudgement(sql, id, nodeJudgement(null));
    }
  }
  return ids.length;
}

/**
 * What is known of a job: as it was judged at its end; while it runs, and of jobs that ended before there were judgements, that of its
 * nodes so far, in the order of their numbers. Null before a node came, and while one waits for `judgeOldTasks`.
 */
export function knownOfJob(
  job: { judgement: Judgement | null; warnings: readonly string[] },
  tasks: readonly StoredTask[],
): Judgement | null {
  if (job.judgement !== null || tasks.length === 0 || tasks.some(isUnjudged)) return job.judgement;
  const told = job.warnings.map((text) => warningFinding(text, []));
  return jobJudgement(tasks.map(taskJudgement), { findings: told });
}
