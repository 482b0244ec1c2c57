import type { AgentPhase } from '../../coordinator/contract/agent-protocol.ts';
import type { RunContext } from '../run/run-context.ts';
import type { CoordinatorClient, Registration } from '../client/coordinator-client.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { Heartbeat } from './heartbeat.ts';

/** Content of the next beat; updated during the run. */
export interface BeatStatus {
  phase: AgentPhase;
  progress: number | null;
}

/**
 * Starts the heartbeat of this run: a stop request from the coordinator ends the run, a lost lease only the heartbeat.
 */
export function startBeating(
  context: RunContext,
  client: CoordinatorClient,
  registration: Registration,
  status: BeatStatus,
): Heartbeat {
  const { emit, host, stop } = context;
  return startHeartbeat({
    client,
    registration,
    clock: host.clock,
    random: host.random,
    status: () => ({ ...status }),
    onStop: (reason) => {
      emit({
        type: 'notice',
        level: 'warning',
        message: `the coordinator asked this run to stop: ${reason}`,
        remedy: null,
      });
      stop.ask('coordinator', reason);
    },
    onFenced: (error) => {
      const message =
        error.code === 'STALE_EPOCH'
          ? 'another session has taken over this task; this one continues, but its result will not be accepted'
          : `the coordinator no longer accepts heartbeats: ${error.message} (${error.code}); measuring continues`;
      emit({ type: 'notice', level: 'warning', message, remedy: null });
    },
  });
}
