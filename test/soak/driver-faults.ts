import { vendors } from '../native/simulated-gpus.ts';
import { sweepFaults, sweepsOf } from '../native/support/fault-sweep.ts';

/** Every path of calls and launches; the heavy group `native` takes one in some ninety. */
let runs = 0;
const faults: string[] = [];
for (const vendor of vendors) {
  const report = await sweepFaults(sweepsOf(vendor, 1, () => 0));
  runs += report.runs;
  faults.push(...report.faults);
}
process.stdout.write(`${JSON.stringify({ runs, faults })}\n`);
process.exitCode = faults.length === 0 && runs > 0 ? 0 : 8;
