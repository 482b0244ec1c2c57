import { nightly, tested } from '../e2e/network/lab-itself.ts';
import { whyNoLab } from '../support/netns-lab/why-no-lab.ts';
import { runCases } from '../support/run-cases.ts';

await runCases('lab-itself', [...tested, ...nightly], await whyNoLab());
