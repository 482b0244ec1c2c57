import { rollThroughJob } from '../e2e/rolling-upgrade.ts';
import { whyNoHaproxy } from '../support/haproxy.ts';
import { runCases } from '../support/run-cases.ts';

/** Three coordinators behind haproxy that share one Postgres and one object store, killed and upgraded in mid-job. */
const figured = (nodes: number, slotSeconds: number, rounds: number) => ({
  title: `${nodes} nodes, ${3 * rounds} kills: nothing lost or duplicated, no report rendered twice, one plan`,
  run: async (t: Parameters<typeof rollThroughJob>[0]) => {
    const figures = await rollThroughJob(t, { nodes, slotSeconds, rounds });
    process.stdout.write(`      ${JSON.stringify(figures)}\n`);
  },
});

await runCases('replicas', [figured(3, 5, 1), figured(16, 2, 2), figured(64, 2, 4)], whyNoHaproxy || null);
