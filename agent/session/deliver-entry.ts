import { resultKey } from '../../coordinator/contract/result-key.ts';
import { AnswerError, isPassing } from '../client/call-errors.ts';
import type { CoordinatorClient } from '../client/coordinator-client.ts';
import type { SpoolEntry } from '../state/spool-entry.ts';

export interface Delivery {
  job_id: string;
  task_id: string;
  /** The coordinator already had this result: counted once. */
  duplicate: boolean;
  /**
   * The result arrived after the task had ended with another result of the benchmark: it is kept and shown, but not
   * counted.
   */
  kept_aside: boolean;
  job_state: string;
  /** Why the end of the run was refused although the result was accepted; usually null. */
  ending_refused: string | null;
}

export type TaskOfEntry = NonNullable<SpoolEntry['task']>;

/**
 * Result first, then the end of the run. Safe to repeat at any point: the result's key makes the second delivery a
 * duplicate, and a file is removed only after both calls.
 * @throws NoAnswerError and temporary AnswerErrors: try later; other AnswerErrors: refused permanently
 */
export async function deliverEntry(
  client: CoordinatorClient,
  entry: SpoolEntry,
  task: TaskOfEntry,
  budgetMs: number,
): Promise<Delivery> {
  const { task_id, epoch, job_id, task_secret } = task;
  client.connection.task_secret = task_secret;
  const result_key = resultKey(job_id, entry.result);
  const answer = await client.results({ ...entry.result, task_id, epoch, result_key }, budgetMs);
  const { duplicate, kept_aside, job_state } = answer;
  const delivery = { job_id, task_id, duplicate, kept_aside, job_state, ending_refused: null };
  try {
    const outcome = await sayEnding(client, entry.ending, task, budgetMs);
    return { ...delivery, job_state: outcome ?? delivery.job_state };
  } catch (error) {
    if (!(error instanceof AnswerError) || isPassing(error)) throw error;
    return { ...delivery, ending_refused: `${error.message} (${error.code})` };
  }
}

async function sayEnding(
  client: CoordinatorClient,
  ending: SpoolEntry['ending'],
  { task_id, epoch }: TaskOfEntry,
  budgetMs: number,
): Promise<string | null> {
  if (ending === null) return null;
  const outcome =
    ending.kind === 'complete'
      ? await client.complete({ task_id, epoch, warnings: ending.warnings }, budgetMs)
      : await client.fail({ task_id, epoch, state: ending.state, message: ending.message }, budgetMs);
  return outcome.job_state;
}
