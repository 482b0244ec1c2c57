import { describe } from 'node:test';
import { whyNoLab } from '../../support/netns-lab/why-no-lab.ts';
import { killWithItsPostgres } from '../kill-coordinator.ts';
import { useSite } from './cluster-site.ts';
import { assertLinks, assertNobodyNamed } from './findings.ts';
import { labTest } from './lab-test.ts';
import { startCluster } from './start-cluster.ts';

const RUN_MS = 150_000;
const skip = (await whyNoLab()) ?? false;

describe('the coordinator dies', { skip }, () => {
  const site = useSite();

  labTest(
    'kill -9 of coordinator and Postgres in mid-run: after a restart every link has one result, all ok',
    async (t) => {
      const fabric = await site().lab.addFabric({ nodes: 5, rate_mbit: 20 });
      const run = await startCluster(t, site(), fabric);
      await run.untilEvent(({ state }) => state === 'rounds', 60_000);
      killWithItsPostgres(site().deployment.coordinator.pid);
      await site().deployment.restart();
      const result = await run.result(RUN_MS);
      assertLinks(result, fabric);
      assertNobodyNamed(result);
    },
  );
});
