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
  /** Called once, when the coordinator asks the run to end. */
  onStop: (reason: string) => void;
  /**
   * Called once, when another session has taken over the task, or token or secret are refused repeatedly (doubt.ts);
   * no further beat is sent.
   */
  onFenced: (error: AnswerError) => void;
}

export interface Heartbeat {
  /** Beats now and waits for the answer, so that phase changes arrive in order. */
  beatNow(): Promise<void>;
  /** No beat starts after this resolves. */
  stop(): Promise<void>;
}

/**
 * Beats in parallel with everything else, since the runner is a separate process. The interval is the coordinator's,
 * shortened at random by up to a tenth, so that nodes started together spread out. A failed beat is repeated within
 * half an interval.
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

/** Final errors after which beating is pointless; a 400 may only concern the beat's content. */
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
