import { test } from 'node:test';
import { whyNoHaproxy } from '../support/haproxy.ts';
import { withLifetime } from '../support/lifetime.ts';
import { rollThroughJob } from './rolling-upgrade.ts';

test(
  'three replicas behind a balancer, each killed and back as the next release: a job with cluster_network loses nothing',
  { skip: whyNoHaproxy },
  async (t) => {
    const figures = await withLifetime((lifetime) => rollThroughJob(lifetime, { nodes: 3, slotSeconds: 5 }));
    t.diagnostic(JSON.stringify(figures));
  },
);
