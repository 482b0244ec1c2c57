import { sendStrangers, type StrangerCount, type StrangerKind } from '../../support/netns-lab/send-strangers.ts';
import { withLifetime } from '../../support/lifetime.ts';
import type { Fabric } from '../../support/netns-lab/make-fabric.ts';
import type { ClusterSite } from '../../e2e/network/cluster-site.ts';
import { startCluster, type Cluster, type ClusterResult } from '../../e2e/network/start-cluster.ts';

/** The fabric's last node, which takes no part in the run. */
export const STRANGER = 64;
const SLOT_SECONDS = 3;
const JOIN_MS = 600_000;
const RUN_MS = 480_000;
const STAGGER_MS = 300;
const PORT = 21_000;
const STRANGERS_SECONDS = 40;
/**
 * Nodes break once the first round is known to be over; agents report that with the answer to their next poll, some rounds
 * later. The node that is cut off needs four more rounds: with fewer failures in a row it is not named.
 */
const BREAK_AFTER_ROUNDS = 1;

export interface SoakRun {
  result: ClusterResult;
  strangers: Record<StrangerKind, StrangerCount> | null;
  /** when strangers connected, by this machine's wall clock */
  strangers_ms: { from: number; to: number } | null;
  seconds: number;
}

interface SoakOptions {
  config: Record<string, unknown>;
  strangers: number;
  midway: ((cluster: Cluster) => Promise<void>) | null;
}

/** One job on nodes 0 to 63; agents start one after the other because each start takes a core for a second. */
export async function runSoak(site: ClusterSite, fabric: Fabric, options: SoakOptions): Promise<SoakRun> {
  const began = performance.now();
  return withLifetime(async (t) => {
    const members = fabric.nodes.filter(({ number }) => number !== STRANGER);
    const run = await startCluster({ t, site }, fabric, {
      starting: members.map(({ number }) => number),
      stagger_ms: STAGGER_MS,
      config: {
        slot_seconds: SLOT_SECONDS,
        timeout: RUN_MS / 1000,
        join_seconds: JOIN_MS / 1000,
        port_range: `${PORT}-${PORT + 9}`,
        ...options.config,
      },
    });
    await run.untilEvent(({ state }) => state === 'rounds', JOIN_MS);
    const from = Date.now();
    const strangers =
      options.strangers === 0
        ? null
        : await sendStrangers(fabric.node(STRANGER), members, PORT, {
            count: options.strangers,
            seconds: STRANGERS_SECONDS,
          });
    const strangers_ms = strangers === null ? null : { from, to: Date.now() };
    if (options.midway !== null) {
      await run.untilEvent(({ rounds_done }) => rounds_done >= BREAK_AFTER_ROUNDS, RUN_MS);
      await options.midway(run);
    }
    const result = await run.result(RUN_MS);
    return { result, strangers, strangers_ms, seconds: (performance.now() - began) / 1000 };
  });
}
