import { after, before, describe, test } from 'node:test';
import { withLifetime } from '../support/lifetime.ts';
import { whyNoLab } from '../support/netns-lab/why-no-lab.ts';
import { openSite, type ClusterSite } from './network/cluster-site.ts';
import * as labItself from './network/lab-itself.ts';
import { tested } from './network/scenarios.ts';

/**
 * Links between nodes, measured by packaged agents in network namespaces under one coordinator, one network after the other,
 * so that every single rate can be checked.
 */
const skip = (await whyNoLab()) ?? false;

describe('the lab itself', { skip }, () => {
  for (const { title, run } of labItself.tested) test(title, () => withLifetime(run));
});

describe('links between nodes', { skip }, () => {
  const closers: (() => Promise<void>)[] = [];
  let site: ClusterSite;
  before(async () => {
    site = await openSite({ after: (close) => void closers.push(close) });
  });
  after(async () => {
    for (const close of closers.toReversed()) await close();
  });

  for (const { title, run } of tested) {
    test(title, () => withLifetime((t) => run({ site, t })));
  }
});
