import type { NetworkPollResponse } from '../../contract/network-protocol.ts';
import { planForNode, type PlanView } from '../plan-for-node.ts';

/** What a poll is told at `nowMs`: the node's part of the newest plan, where that is newer than what it has. */
export function answerPoll(
  view: PlanView,
  node: number,
  { have, nowMs }: { have: number; nowMs: number },
): NetworkPollResponse {
  const { run } = view;
  return {
    sequence: run.sequence,
    state: run.state,
    now_ms: nowMs,
    plan: run.sequence > have && run.state !== 'ended' ? planForNode(view, node, { have, nowMs }) : null,
    progress: {
      nodes_joined: run.nodes_joined,
      nodes_expected: run.nodes_expected,
      nodes_lost: run.nodes_lost,
      rounds_done: roundsDone(view, nowMs),
      rounds: run.graph?.rounds ?? null,
      ends_at_ms: phaseEnd(view),
    },
    ended: run.outcome === null ? null : { outcome: run.outcome, message: run.message },
  };
}

/** Rounds whose time is over by the clock. */
function roundsDone({ run }: PlanView, nowMs: number): number {
  if (run.graph === null || run.rounds_started_ms === null) return 0;
  if (run.state !== 'rounds' || run.rounds_ended_ms === null) return run.next_round;
  const left = Math.ceil((run.rounds_ended_ms - nowMs) / (run.graph.slot_seconds * 1000));
  return Math.max(0, Math.min(run.next_round, run.next_round - left));
}

function phaseEnd({ run }: PlanView): number | null {
  if (run.state === 'rounds' && run.graph !== null && run.rounds_ended_ms !== null)
    return run.rounds_ended_ms + (run.graph.rounds - run.next_round) * run.graph.slot_seconds * 1000;
  return run.plan?.ends_at_ms ?? null;
}
