import type { TestApp } from '../../support/app-over.ts';
import { makeUser } from '../../support/client.ts';
import { makeJob, Node, type MadeJob } from '../../coordinator/jobs/node.ts';
import { endpointOf } from '../../coordinator/network/simulated-endpoint.ts';
import { networkPaths } from '../../../coordinator/contract/network-protocol.ts';
import { setPhase } from './run-phases.ts';
import { HONEST, ITEM, type Phase } from './seats.ts';

/** A job with honest nodes and a liar, which has a job of its own beside it; and another customer's job. */
export interface World {
  test: TestApp;
  phase: Phase;
  job: MadeJob;
  honest: Node[];
  liar: Node;
  /** of another customer; the liar knows its ids, not its token */
  other: { job: MadeJob; node: Node };
  /** of the liar's own customer: a token and a secret that open something else */
  own: { job: MadeJob; node: Node };
}

const benchmarks = [{ benchmark_id: 'cluster_network', config: { slot_seconds: 2, collective: 'off' } }];
let made = 0;

export async function makeWorld(test: TestApp, phase: Phase): Promise<World> {
  const [owner, stranger] = [await makeUser(test), await makeUser(test)];
  const job = await makeJob(test, owner, { benchmarks, node_count: HONEST + 1 });
  const newNode = (of: MadeJob) => new Node(test, of, `fuzzed-${(made += 1)}`);
  const nodes = Array.from({ length: HONEST + 1 }, () => newNode(job));
  for (const node of nodes) demand(await node.register(), 'register');
  const [own, other] = [await makeJob(test, owner), await makeJob(test, stranger)];
  const world: World = {
    test,
    phase,
    job,
    honest: nodes.slice(0, HONEST),
    liar: nodes[HONEST] as Node,
    own: { job: own, node: newNode(own) },
    other: { job: other, node: newNode(other) },
  };
  for (const { node } of [world.own, world.other]) demand(await node.register(), 'register');
  for (const node of nodes) demand(await node.post(networkPaths.join, joinOf(node)), 'join');
  await setPhase(test.platform.sql, job.id, phase);
  return world;
}

export const callerOf = ({ taskId, epoch }: Node) => ({ task_id: taskId, epoch, item: ITEM });

export const joinOf = (node: Node) => ({
  ...callerOf(node),
  endpoints: [endpointOf(node.taskId)],
  capabilities: { congestion_control: null, locked_memory_kib: null, rdma: null, collective: null, notes: [] },
});

export function demand({ status, text }: { status: number; text: string }, what: string): void {
  if (status !== 200) throw new Error(`an honest ${what} was answered ${status} ${text}`);
}
