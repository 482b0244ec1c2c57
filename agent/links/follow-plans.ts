import type { NetworkPlan, NetworkPollResponse } from '../../coordinator/contract/network-protocol.ts';
import type { Clock, RandomSource } from '../run/host.ts';
import type { AnswerError } from '../client/call-errors.ts';
import { Doubt } from '../client/doubt.ts';
import { passingTrouble, retryDelay } from '../client/retry.ts';

export type NetworkEnd =
  | { kind: 'ended'; outcome: 'completed' | 'failed' | 'skipped'; message: string | null }
  | { kind: 'refused'; error: AnswerError }
  | { kind: 'away'; seconds: number }
  | { kind: 'over' };

export interface PlanFollower {
  poll: (have: number) => Promise<NetworkPollResponse>;
  /** Called with each new plan; starts it and returns before it is performed. Null: nothing for this node. */
  onPlan: (plan: NetworkPlan, answer: NetworkPollResponse) => Promise<void>;
  /** Called with each answer. */
  onAnswer: (answer: NetworkPollResponse) => void;
  /** Called once each time the coordinator stops answering. */
  onAway: (error: unknown) => void;
  /** End of the newest plan, by `clock.monotonic`; negative before the first. */
  planEnd: () => number;
  clock: Clock;
  random: RandomSource;
  /** How long the coordinator may be silent after the end of the plan. */
  away_ms: number;
  /** Aborts when the run must end, even if the coordinator says otherwise. */
  over: AbortSignal;
}

/** Pause before the next request after an answer without news, in case the coordinator answers at once. */
const IDLE_MS = 250;

/**
 * Keeps one poll open and passes on each new plan, until the run has ended, is refused, or the coordinator has been
 * silent for too long. The current plan continues meanwhile.
 */
export async function followPlans(follower: PlanFollower): Promise<NetworkEnd> {
  const { clock, over, random } = follower;
  let have = 0;
  const doubt = new Doubt();
  let tries = 0;
  let heard = clock.monotonic();
  while (!over.aborted) {
    const asked = clock.monotonic();
    let answer: NetworkPollResponse;
    try {
      answer = await follower.poll(have);
    } catch (error) {
      if (over.aborted) break;
      if (doubt.isFinal(error)) return { kind: 'refused', error };
      const silent = clock.monotonic() - Math.max(heard, follower.planEnd());
      if (silent > follower.away_ms) return { kind: 'away', seconds: Math.round(silent / 1000) };
      if (tries === 0) follower.onAway(error);
      await clock.sleep(retryDelay(passingTrouble(0), tries, error, random), over);
      tries += 1;
      continue;
    }
    tries = 0;
    doubt.clear();
    heard = clock.monotonic();
    follower.onAnswer(answer);
    if (answer.ended !== null) return { kind: 'ended', ...answer.ended };
    if (answer.sequence > have) {
      have = answer.sequence;
      if (answer.plan !== null) await follower.onPlan(answer.plan, answer);
    } else if (heard - asked < IDLE_MS) await clock.sleep(IDLE_MS, over);
  }
  return { kind: 'over' };
}
