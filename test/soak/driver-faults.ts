import { createHash } from 'node:crypto';
import { vendors } from '../native/simulated-gpus.ts';
import { sweepFaults, sweepsOf } from '../native/support/fault-sweep.ts';

/**
 * Every path of calls and launches, each in a run of its own: some hours of a processor. `STRIDE=n` takes one in n, beginning
 * with a place that `SEED=text` draws for each benchmark; the heavy group `native` takes one in 89.
 */
const stride = Number(process.env['STRIDE'] || 1);
const seed = process.env['SEED'] || 'driver-faults';
const total = { runs: 0, crashes: 0, places: 0, faults: [] as string[] };
for (const vendor of vendors) {
  const firstOf = (index: number): number =>
    createHash('sha256').update(`${seed} ${vendor} ${index}`).digest().readUInt32BE() % stride;
  const report = await sweepFaults(sweepsOf(vendor, stride, firstOf), (left, { runs, crashes, faults }) => {
    const found = `${runs} runs, ${crashes} crashes, ${faults.length} ended otherwise than they may`;
    process.stderr.write(`driver-faults: ${vendor}: ${found}; ${left} sweeps left\n`);
  });
  total.runs += report.runs;
  total.crashes += report.crashes;
  total.places += report.places;
  total.faults.push(...report.faults);
}
process.stdout.write(`${JSON.stringify({ seed, stride, ...total })}\n`);
process.exitCode = total.faults.length === 0 && total.runs > 0 ? 0 : 8;
