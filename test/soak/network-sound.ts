import { openSite } from '../e2e/network/cluster-site.ts';
import { besideStrangers } from '../e2e/network/sound-cluster.ts';
import { whyNoLab } from '../support/netns-lab/why-no-lab.ts';
import { runCases, type Case } from '../support/run-cases.ts';

const sound: Case = {
  title: besideStrangers.title,
  run: async (t) => besideStrangers.run({ t, site: await openSite(t) }),
};
await runCases('network-sound', [sound], await whyNoLab());
