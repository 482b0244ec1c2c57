import { agentProtocolVersion } from '../../coordinator/contract/agent-protocol.ts';
import { ExitError } from '../run/exit-error.ts';
import type { Clock } from '../run/host.ts';
import type { Emit } from '../run/run-event.ts';
import { AnswerError, isPassing, refusal, UntrustedError } from '../client/call-errors.ts';
import type { CoordinatorClient, Registration } from '../client/coordinator-client.ts';
import type { SessionLimits } from '../run/session-limits.ts';

export interface Registrant {
  machine_uuid: string;
  session_id: string;
  agent_version: string;
  hostname: string | null;
  launcher: Record<string, string>;
}

/**
 * Joins the job. Attempts of 10 s each, full jitter from 0.5 s to 8 s, for 60 s; if another session still holds the
 * machine, waits up to 50 s (its lease and the coordinator's sweep). Nothing is measured before this succeeds.
 * @throws ExitError unreachable, refused, bug
 */
export async function register(
  client: CoordinatorClient,
  registrant: Registrant,
  limits: SessionLimits,
  clock: Clock,
  emit: Emit,
): Promise<Registration> {
  const start = clock.elapsed();
  const policy = {
    budget_ms: limits.register_ms,
    base_ms: 500,
    cap_ms: 8_000,
    retryIf: (error: unknown) =>
      (isPassing(error) && !(error instanceof UntrustedError)) ||
      (isMachineActive(error) && clock.elapsed() - start < limits.machine_active_ms),
  };
  const tell = retryTeller(emit, client.connection.base_url);
  try {
    return await client.register({ ...registrant, protocol_version: agentProtocolVersion }, policy, tell);
  } catch (error) {
    throw nothingMeasured(refusal(error, client.connection.base_url), limits.register_ms);
  }
}

const isMachineActive = (error: unknown): boolean =>
  error instanceof AnswerError && error.code === 'MACHINE_ALREADY_ACTIVE';

/** One message per kind of error, not one per attempt. */
function retryTeller(emit: Emit, coordinator: string): (error: unknown) => void {
  const told = new Set<string>();
  return (error) => {
    const active = isMachineActive(error);
    const kind = active ? 'active' : 'unreachable';
    if (told.has(kind)) return;
    told.add(kind);
    const why = error instanceof Error ? error.message : String(error);
    emit({
      type: 'notice',
      level: 'warning',
      message: active
        ? 'another agent holds this machine identity; waiting until its lease runs out'
        : `the coordinator at ${coordinator} does not answer (${why}); trying again`,
      remedy: active ? 'Several agents on one machine need a GPUMARK_MACHINE_ID each.' : null,
    });
  };
}

function nothingMeasured(error: ExitError, budgetMs: number): ExitError {
  // Waiting does not make a certificate trusted, and the error already has the remedy.
  if (error.reason !== 'unreachable' || error.cause instanceof UntrustedError) return error;
  const message = `${error.message}; tried for ${Math.round(budgetMs / 1000)} s, nothing was measured`;
  return new ExitError(
    'unreachable',
    message,
    'Check the network, or measure now and deliver later with --offline.',
    error,
  );
}
