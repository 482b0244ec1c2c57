import type { Lifetime } from '../../support/lifetime.ts';
import { favoured } from '../../support/netns-lab/favoured.ts';
import { openLab, type Lab } from '../../support/netns-lab/open-lab.ts';
import { deployOn, type Deployment } from '../deployment.ts';

export interface ClusterSite {
  lab: Lab;
  deployment: Deployment;
}

/**
 * A lab and a coordinator process that its nodes can reach: it listens on the lab's own address, which exists on this
 * machine only. Agents are stopped before their coordinator, so that none is left waiting for it.
 */
export async function openSite(t: Lifetime): Promise<ClusterSite> {
  const lab = await openLab();
  const closers = [lab.stopNodes];
  t.after(async () => {
    for (const close of closers) await close();
    await lab.close();
  });
  const deployment = await deployAt(lab, { after: (close) => void closers.push(close) });
  return { lab, deployment };
}

/** A separate coordinator in the lab for a scenario that kills it: other runs keep using the site's. */
export async function deployAt(lab: Lab, t: Lifetime): Promise<Deployment> {
  const deployment = await favoured(() => deployOn(t, lab.address));
  const { restart } = deployment;
  deployment.restart = () => favoured(restart);
  return deployment;
}
