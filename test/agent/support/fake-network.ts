import {
  networkJoinRequest,
  networkMatrixRequest,
  networkPollRequest,
  networkReportRequest,
  networkSyncRequest,
} from '../../../coordinator/contract/network-protocol.ts';
import type {
  NetworkMatrix,
  NetworkPlan,
  NetworkPollResponse,
  NetworkReport,
} from '../../../coordinator/contract/network-protocol.ts';
import type { Answer, FakeCoordinator } from './fake-coordinator.ts';

/** A plan is made when the one before it has all its reports; `now` is the coordinator's clock. */
export type PlanMaker = (now: number) => { plan: NetworkPlan; reports: number };

export interface FakeNetwork {
  answer: FakeCoordinator['answer'];
  /** Every report that was taken, in order, also the second of the same id. */
  taken: NetworkReport[];
  joins: ReturnType<typeof networkJoinRequest.parse>[];
  matrix: NetworkMatrix;
  /** How the run ends once every plan has its reports. */
  ended: NonNullable<NetworkPollResponse['ended']>;
}

/** How far the coordinator's clock is from this machine's. */
export const COORDINATOR_AHEAD_MS = 86_400_000;

const schemas = {
  join: networkJoinRequest,
  sync: networkSyncRequest,
  poll: networkPollRequest,
  report: networkReportRequest,
  matrix: networkMatrixRequest,
};

/** The coordinator's side of a run that hands out these plans, one after the other. Bodies are checked against the contract. */
export function fakeNetwork(makers: PlanMaker[]): FakeNetwork {
  const now = (): number => Date.now() + COORDINATOR_AHEAD_MS;
  const waiting = [...makers];
  const state = { sequence: 0, plan: null as NetworkPlan | null, due: 0 };
  const ok = (body: unknown): Answer => ({ status: 200, body });
  const fake: FakeNetwork = {
    taken: [],
    joins: [],
    matrix: { version: 0, nodes: [], cells: [] },
    ended: { outcome: 'completed', message: null },
    answer: (name, _count, body) => {
      const schema = schemas[name as keyof typeof schemas];
      if (schema === undefined) return undefined;
      const sent = schema.safeParse(body);
      if (!sent.success)
        return { status: 400, body: { error: { code: 'PARAMETER_INCORRECT_VALUE', message: sent.error.message } } };
      if (name === 'join') {
        fake.joins.push(networkJoinRequest.parse(body));
        return ok({ node: 0, lease_seconds: 15, poll_seconds: 1 });
      }
      if (name === 'sync') return ok({ now_ms: now() });
      if (name === 'matrix') return ok(fake.matrix);
      if (name === 'report') {
        const { reports } = networkReportRequest.parse(body);
        fake.taken.push(...reports);
        return ok({ acked: reports.map(({ id }) => id), refused: [] });
      }
      return ok(poll(networkPollRequest.parse(body).have));
    },
  };
  const poll = (have: number): NetworkPollResponse => {
    const ids = new Set(fake.taken.map(({ kind, id }) => `${kind} ${id}`));
    const maker = ids.size >= state.due ? waiting.shift() : undefined;
    if (maker !== undefined) {
      const { plan, reports } = maker(now());
      Object.assign(state, { sequence: state.sequence + 1, plan, due: state.due + reports });
    }
    const isOver = waiting.length === 0 && maker === undefined && ids.size >= state.due;
    const progress = { nodes_joined: 2, nodes_expected: 2, nodes_lost: 0, rounds_done: state.sequence, rounds: 3 };
    return {
      sequence: state.sequence,
      state: isOver ? 'ended' : 'rounds',
      now_ms: now(),
      plan: state.sequence > have ? state.plan : null,
      progress: { ...progress, ends_at_ms: null },
      ended: isOver ? fake.ended : null,
    };
  };
  return fake;
}
