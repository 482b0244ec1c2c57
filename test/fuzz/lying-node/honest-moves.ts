import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import { networkPaths, type NetworkReport } from '../../../coordinator/contract/network-protocol.ts';
import type { Answer } from '../../support/client.ts';
import type { Node } from '../../coordinator/jobs/node.ts';
import { upload } from '../../coordinator/jobs/upload.ts';
import { linkOf } from './run-phases.ts';
import { HONEST } from './seats.ts';
import { callerOf, type World } from './world.ts';

/** What the node of this seat has measured: no lie draws such a figure. */
export const figureOf = (seat: number): number => 700.125 + seat;
export const rateOf = (seat: number): number => 40.125 + seat;

type Move = () => Promise<Answer>;

/** All that an honest node does in its run, in order; each must be answered 200 whatever the liar does between them. */
export function honestRun({ phase }: Pick<World, 'phase'>, node: Node, seat: number): Move[] {
  const { benchmark_results: _, ...inventory } = upload(node.machineUuid);
  const first = upload(node.machineUuid, [{ bf16: 1.5 }]);
  const last = upload(node.machineUuid, [{ bf16: figureOf(seat) }]);
  const reports = reportsOf(phase, seat);
  return [
    () => node.beat('inventory'),
    () => node.post(agentPaths.inventory, { ...taskOf(node), inventory }),
    () => node.beat('measuring'),
    ...(reports.length === 0 ? [] : [() => node.post(networkPaths.report, { ...callerOf(node), reports })]),
    () => node.post(networkPaths.matrix, { ...callerOf(node), since: 0 }),
    () => node.results(node.result(first)),
    () => node.results(node.result(last, { attempt: 2 })),
    () => node.results(node.result(last, { attempt: 2 })),
    () => node.beat('uploading'),
    () => node.complete(),
    () => node.complete(),
  ];
}

const taskOf = ({ taskId, epoch }: Node) => ({ task_id: taskId, epoch });

function reportsOf(phase: World['phase'], seat: number): NetworkReport[] {
  const others = Array.from({ length: HONEST + 1 }, (_, other) => other).filter((other) => other !== seat);
  if (phase === 'preflight') return others.map((other) => dialReport(`p.${seat}.${other}`));
  if (phase === 'rounds') return others.map((other) => slotReport(`${linkOf(seat, other)}.1`, rateOf(seat)));
  return seat === 0 ? [{ kind: 'unique_id', id: 'c.1', unique_id: 'cd'.repeat(128) }, collectiveReport(rateOf(0))] : [];
}

export const dialReport = (id: string, connect_us = 90): NetworkReport => ({
  kind: 'dial',
  id,
  status: 'ok',
  stage: null,
  code: null,
  address: null,
  connect_us,
});

export const slotReport = (id: string, gbps: number): NetworkReport => ({
  kind: 'slot',
  id,
  status: 'ok',
  stage: null,
  code: null,
  started_at_ms: 1_795_000_000_000,
  start_skew_ms: 0,
  received: { gbps, bytes: 1e9, window_ms: 200 },
  sent: { bytes: 1e9, retransmits: 0, segments: 1e5, min_rtt_us: 80 },
  rtt_us: { min: 80, p50: 90, p99: 110, max: 200, samples: 1000 },
  mtu: 1500,
  interface: 'eth0',
  rails: [],
});

export function collectiveReport(bus_gbs: number): NetworkReport {
  const size = { bytes: 1 << 20, seconds: 0.001, algorithm_gbs: 1, bus_gbs };
  const figures = { all_reduce: [size], broadcast: [size], verified: true, simulated: true };
  return {
    kind: 'collective',
    id: 'c.1',
    result: { library: 'nccl', version: '2.0.0', ranks: HONEST + 1, nodes: HONEST + 1, ...figures },
    message: null,
  };
}
