import { after, before } from 'node:test';
import { favoured } from '../../support/netns-lab/favoured.ts';
import { openLab, type Lab } from '../../support/netns-lab/open-lab.ts';
import { deploy, type Deployment } from '../deployment.ts';

export interface ClusterSite {
  lab: Lab;
  deployment: Deployment;
}

/**
 * For a suite: a lab and a coordinator process that its nodes reach, since it listens on the lab's own address, which this
 * machine alone has. Ask for it in tests; agents end before their coordinator, so that none waits for it in vain.
 */
export function useSite(): () => ClusterSite {
  let site: ClusterSite | undefined;
  const closers: (() => Promise<void>)[] = [];
  before(async () => {
    const lab = await openLab();
    closers.push(lab.stopNodes);
    const deployment = await favoured(() => deploy({ after: (done) => closers.push(done) }, lab.address));
    closers.push(lab.close);
    site = { lab, deployment };
  });
  after(async () => {
    for (const close of closers) await close();
  });
  return () => {
    if (site === undefined) throw new Error('the site is open only while tests run');
    return site;
  };
}
