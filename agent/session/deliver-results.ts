import { ExitError } from '../run/exit-error.ts';
import type { RunContext } from '../run/run-context.ts';
import { AnswerError, isPassing, refusal } from '../client/call-errors.ts';
import type { CoordinatorClient } from '../client/coordinator-client.ts';
import type { KeptEntry } from './keep-results.ts';
import { deliverEntry } from './deliver-entry.ts';
import type { TaskOfEntry } from './deliver-entry.ts';
import type { Spool } from '../state/spool.ts';

/**
 * Delivers the kept results, oldest first; each file is removed only after the coordinator has acknowledged its key.
 * @throws ExitError unreachable (the files stay), refused (they are in quarantine)
 */
export async function deliverResults(
  context: RunContext,
  client: CoordinatorClient,
  spool: Spool,
  kept: KeptEntry[],
  task: TaskOfEntry,
): Promise<void> {
  const { emit, limits, record, stop } = context;
  const budget = stop.by === null ? limits.delivery_ms : limits.farewell_ms;
  emit({ type: 'step', step: 'upload', state: 'started', message: `delivering to ${client.connection.base_url}` });
  for (const { entry, path } of kept) {
    try {
      const delivery = await deliverEntry(client, entry, task, budget);
      if (path !== null) spool.remove(path);
      if (delivery.ending_refused !== null) {
        emit({
          type: 'notice',
          level: 'warning',
          message: `the result is delivered; the end of the run was not accepted: ${delivery.ending_refused}`,
          remedy: null,
        });
      }
    } catch (error) {
      throw undelivered(context, client, spool, path, error);
    }
  }
  record.spool_file = null;
  record.saved = true;
  emit({ type: 'step', step: 'upload', state: 'done', message: 'delivered' });
}

function undelivered(
  context: RunContext,
  client: CoordinatorClient,
  spool: Spool,
  path: string | null,
  error: unknown,
): ExitError {
  const { emit, record } = context;
  emit({ type: 'step', step: 'upload', state: 'failed', message: 'not delivered' });
  const reason = refusal(error, client.connection.base_url);
  if (error instanceof AnswerError && !isPassing(error)) {
    if (path !== null) record.spool_file = spool.quarantine(path) ?? path;
    const where =
      path === null ? 'printed above' : `kept in ${record.spool_file} (again with: gpumark-agent upload --quarantined)`;
    return new ExitError(reason.reason, `${reason.message}; the result is ${where}`, reason.remedy, error);
  }
  if (path === null)
    return new ExitError(
      'unreachable',
      `${reason.message}; the result is printed above`,
      'Free space on the disk and measure again.',
      error,
    );
  record.next_command = 'gpumark-agent upload';
  return new ExitError(
    reason.reason,
    `${reason.message}; the result is safe in ${path}`,
    'Deliver it later with: gpumark-agent upload',
    error,
  );
}
