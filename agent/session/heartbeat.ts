import type { AgentPhase } from '../../coordinator/contract/agent-protocol.ts';
import type { Clock, RandomSource } from '../run/host.ts';
import type { AnswerError } from '../client/call-errors.ts';
import type { CoordinatorClient, Registration } from '../client/coordinator-client.ts';
import { Doubt } from '../client/doubt.ts';

interface HeartbeatOptions {
  client: CoordinatorClient;
  registration: Registration;
  clock: Clock;
  random: RandomSource;
  status: () => { phase: AgentPhase; progress: number | null };
  /** The coordinator asks the run to end. Called once. */
  onStop: (reason: string) => void;
  /** Another session has taken the task, or token or secret are refused again and again (doubt.ts): no more beats. Called once. */
  onFenced: (error: AnswerError) => void;
}

export interface Heartbeat {
  /** Beats now and waits for the answer, so that a change of phase is seen in order. */
  beatNow(): Promise<void>;
  /** No beat starts after this resolves. */
  stop(): Promise<void>;
}

/**
 * Beats beside everything else, since the runner is a process of its own. The interval is the coordinator's; up to a
 * tenth is taken off at random so that nodes started together spread out. A failed beat is repeated within half of it.
 */
export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const ending = new AbortController();
  const state = {
    interval_ms: options.registration.heartbeat_seconds * 1000,
    stop_told: false,
    doubt: new Doubt(),
  };
  let queue: Promise<boolean> = Promise.resolve(true);
  const beat = (): Promise<boolean> =>
    (queue = queue.then(() => (ending.signal.aborted ? false : sendBeat(options, state, ending))));
  const loop = (async () => {
    while (!ending.signal.aborted) {
      const ok = await beat();
      const share = ok ? 0.9 + 0.1 * options.random.fraction() : 0.1 + 0.4 * options.random.fraction();
      await options.clock.sleep(state.interval_ms * share, ending.signal);
    }
  })();
  return {
    beatNow: async () => {
      await beat();
    },
    stop: async () => {
      ending.abort();
      await loop;
      await queue;
    },
  };
}

/** Of the final refusals those after which a beat has nobody to speak for; a 400 may be about its words alone. */
const fencing = new Set([401, 403, 404, 409]);

async function sendBeat(
  options: HeartbeatOptions,
  state: { interval_ms: number; stop_told: boolean; doubt: Doubt },
  ending: AbortController,
): Promise<boolean> {
  const { task_id, epoch } = options.registration;
  try {
    const answer = await options.client.heartbeat({ task_id, epoch, ...options.status() });
    state.doubt.clear();
    state.interval_ms = answer.heartbeat_seconds * 1000;
    if (answer.stop !== null && !state.stop_told) {
      state.stop_told = true;
      options.onStop(answer.stop.reason);
    }
    return true;
  } catch (error) {
    if (state.doubt.isFinal(error) && fencing.has(error.status)) {
      ending.abort();
      options.onFenced(error);
    }
    return false;
  }
}
