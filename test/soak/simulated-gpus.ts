import { deploy } from '../e2e/deployment.ts';
import { assertWholeWay, buildDrivers, nightly, tested, titleOf } from '../e2e/simulated-machine.ts';
import { runCases } from '../support/run-cases.ts';

await buildDrivers();
const cases = [...tested, ...nightly].map((machine) => ({
  title: titleOf(machine),
  run: async (t: Parameters<typeof deploy>[0]) => assertWholeWay(await deploy(t), machine),
}));
await runCases('simulated-gpus', cases);
