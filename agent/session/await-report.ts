import type { RunContext } from '../run/run-context.ts';
import type { CoordinatorClient } from '../client/coordinator-client.ts';

/** Asks for the report of this task until it is rendered, a short time at most: the job shows it later anyway. */
export async function awaitReport(
  context: RunContext,
  client: CoordinatorClient,
  taskId: string,
): Promise<string | null> {
  const { emit, host, limits, stop } = context;
  emit({ type: 'step', step: 'report', state: 'started', message: 'waiting for the report' });
  const start = host.clock.elapsed();
  while (!stop.signal.aborted && host.clock.elapsed() - start < limits.report_ms) {
    const url = await reportUrl(client, taskId);
    if (url !== null) {
      emit({ type: 'step', step: 'report', state: 'done', message: 'the report is ready' });
      return url;
    }
    await host.clock.sleep(limits.report_poll_ms * (0.75 + 0.5 * host.random.fraction()), stop.signal);
  }
  emit({ type: 'step', step: 'report', state: 'failed', message: 'the report is not ready yet; the job will show it' });
  return null;
}

/** The result is delivered, so no trouble here is worth more than trying again. */
async function reportUrl(client: CoordinatorClient, taskId: string): Promise<string | null> {
  try {
    return (await client.job()).tasks.find((task) => task.id === taskId)?.pdf_report_url ?? null;
  } catch {
    return null;
  }
}
