import { after, test } from 'node:test';
import { deploy } from './deployment.ts';
import { assertWholeWay, buildDrivers, tested, titleOf } from './simulated-machine.ts';

await buildDrivers();
const deployment = await deploy({ after });

for (const machine of tested) test(titleOf(machine), () => assertWholeWay(deployment, machine));
