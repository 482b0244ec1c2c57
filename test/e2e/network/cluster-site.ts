import type { Lifetime } from '../../support/lifetime.ts';
import { favoured } from '../../support/netns-lab/favoured.ts';
import { openLab, type Lab } from '../../support/netns-lab/open-lab.ts';
import { deploy, type Deployment } from '../deployment.ts';

export interface ClusterSite {
  lab: Lab;
  deployment: Deployment;
}

/**
 * A lab and a coordinator process that its nodes reach, since it listens on the lab's own address, which this machine alone
 * has. Agents end before their coordinator, so that none waits for it in vain.
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

/** One more coordinator in the lab, for who kills it: other runs go on under the site's. */
export async function deployAt(lab: Lab, t: Lifetime): Promise<Deployment> {
  const deployment = await favoured(() => deploy(t, lab.address));
  const { restart } = deployment;
  deployment.restart = () => favoured(restart);
  return deployment;
}
