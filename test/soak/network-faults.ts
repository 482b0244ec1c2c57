import { openSite } from '../e2e/network/cluster-site.ts';
import { nightly, tested } from '../e2e/network/scenarios.ts';
import { withLifetime } from '../support/lifetime.ts';
import { whyNoLab } from '../support/netns-lab/why-no-lab.ts';
import { runCases } from '../support/run-cases.ts';

/** All scenarios, one after the other on an otherwise idle machine, so that every single rate is checked. */
const why = await whyNoLab();
if (why !== null) await runCases('network-faults', [], why);
else
  await withLifetime(async (opened) => {
    const site = await openSite(opened);
    const cases = [...tested, ...nightly].map(({ title, run }) => ({
      title,
      run: (t: typeof opened) => run({ t, site }),
    }));
    await runCases('network-faults', cases);
  });
