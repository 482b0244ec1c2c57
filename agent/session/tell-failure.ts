import type { RunContext } from '../run/run-context.ts';
import type { CoordinatorClient, Registration } from '../client/coordinator-client.ts';

/** Says that nothing will come, so that the job need not wait for the lease. What goes wrong here changes nothing. */
export async function tellFailure(
  context: RunContext,
  client: CoordinatorClient,
  registration: Registration,
  error: unknown,
): Promise<void> {
  const { limits, stop } = context;
  const { task_id, epoch } = registration;
  const words = stop.message ?? (error instanceof Error ? error.message : String(error));
  try {
    await client.fail(
      { task_id, epoch, state: stop.by === null ? 'failed' : 'aborted', message: words.slice(0, 2000) || 'failed' },
      limits.farewell_ms,
    );
  } catch {
    // The lease runs out by itself.
  }
}
