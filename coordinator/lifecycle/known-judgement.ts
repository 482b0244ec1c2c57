import type { Judgement } from '../contract/judgement.ts';
import { jobJudgement } from '../figures/findings/job-judgement.ts';
import { type StoredTask, taskJudgement, warningFinding } from '../figures/findings/task-judgement.ts';
import { taskHasEnded } from './states.ts';

/** What is known of a task: null before its results and its end. */
export const knownOfTask = (task: StoredTask): Judgement | null =>
  task.judgement === null && task.warnings.length === 0 && task.state !== 'lost' && !taskHasEnded(task.state)
    ? null
    : taskJudgement(task);

/**
 * What is known of a job: as it was judged at its end; while it runs, and of jobs that ended before there were judgements, that of its
 * nodes so far, in the order of their numbers. Null before a node came.
 */
export function knownOfJob(
  job: { judgement: Judgement | null; warnings: readonly string[] },
  tasks: readonly StoredTask[],
): Judgement | null {
  if (job.judgement !== null || tasks.length === 0) return job.judgement;
  const told = job.warnings.map((text) => warningFinding(text, []));
  return jobJudgement(tasks.map(taskJudgement), { findings: told });
}
