import { availableParallelism } from 'node:os';
import { execa } from 'execa';
import type { SimulatedVendor } from '../simulated-driver.ts';
import { backendOf, readRun, runnerOn } from '../simulated-gpus.ts';
import { simFolder } from '../sweeps/vendor-engine.ts';
import { registry } from './registry.ts';

/**
 * Faults of one call of the driver or of one launch, and how a run may end with each: its exit code and the codes of its
 * errors. 5: the device could not be opened. Without an error the fault came after the last figure, or was no obstacle.
 */
const ENDS = {
  'card-lost': /^([45] device_lost|0 )$/,
  'call-lost': /^([45] device_lost|0 )$/,
  'launch-failure': /^(4 launch_failed|5 driver_call_failed|0 )$/,
  'call-failure': /^(4 launch_failed|5 (driver_call_failed|image_rejected)|0 )$/,
  'call-out-of-memory': /^(4 out_of_memory|5 (device_busy|no_usable_device|driver_call_failed)|0 )$/,
} as const;
export type CallFault = keyof typeof ENDS;
export const callFaults = Object.keys(ENDS) as CallFault[];

export interface Sweep {
  vendor: SimulatedVendor;
  fault: CallFault;
  benchmark: string;
  /** The first path of calls, and the distance to the next. */
  first: number;
  step: number;
}

export interface SweepReport {
  runs: number;
  /** Runs that a signal ended; they are among the faults. */
  crashes: number;
  /** Paths that the sweeps reached, whether or not each was struck. */
  places: number;
  /** What went wrong: "nvidia card-lost:p40 gemm_fp16: SIGSEGV". */
  faults: string[];
}

/** Of a device that is there, and has an architecture. */
const MISLEADING = /is no longer present|sm_00/;

/** One run in which the fault strikes at `place`: "p40" is the first call by the 41st path. */
export async function runStruck(
  { vendor, fault, benchmark }: Pick<Sweep, 'vendor' | 'fault' | 'benchmark'>,
  place: string,
): Promise<{ struck: boolean; wrong?: string; crashed?: true }> {
  const sim = { FAULT: `${fault}:${place}`, L2_KIB: '64', GPUMARK_TEST_LIBRARIES: await simFolder(`blas-${vendor}`) };
  const { path, options } = await runnerOn({ drivers: [vendor], sim });
  const command = ['run', '--device', backendOf[vendor], '--benchmarks', benchmark, '--time-scale', '0.02'];
  const { stdout, stderr, exitCode, signal } = await execa(path, command, { ...options, stderr: 'pipe' });
  const struck = stderr.includes(`simulated driver: ${fault} strikes`);
  const said = `${vendor} ${fault}:${place} ${benchmark}: `;
  if (signal !== undefined) return { struck, wrong: said + signal, crashed: true };
  try {
    const { codes, events } = readRun(stdout, exitCode);
    const end = `${exitCode} ${codes.join()}`;
    if (!(struck ? ENDS[fault] : /^0 $/).test(end)) return { struck, wrong: said + end };
    const misled = events.find((event) => event.event === 'error' && MISLEADING.test(event.message));
    if (misled?.event === 'error') return { struck, wrong: said + misled.message };
    const asked = registry.benchmarks.filter(({ id }) => benchmark === 'all' || id === benchmark);
    const answers = events.filter(({ event }) => event === 'result').length;
    const metrics = asked.reduce((sum, { metrics: its }) => sum + its.length, 0);
    return exitCode === 5 || answers === metrics ? { struck } : { struck, wrong: `${said}${answers} results` };
  } catch (error) {
    return { struck, wrong: said + String(error) };
  }
}

/**
 * Runs each sweep until its fault strikes no more, as many runs at a time as there are processors.
 * @param onSweep called when one is done
 */
export async function sweepFaults(
  sweeps: readonly Sweep[],
  onSweep: (left: number, report: SweepReport) => void = () => undefined,
): Promise<SweepReport> {
  const report: SweepReport = { runs: 0, crashes: 0, places: 0, faults: [] };
  const waiting = [...sweeps];
  const work = async (): Promise<void> => {
    for (let sweep = waiting.pop(); sweep !== undefined; sweep = waiting.pop()) {
      for (let [place, struck] = [sweep.first, true]; struck; place += sweep.step) {
        const run = await runStruck(sweep, `p${place}`);
        report.runs += 1;
        struck = run.struck;
        if (run.struck) report.places += sweep.step;
        if (run.crashed === true) report.crashes += 1;
        if (run.wrong !== undefined) report.faults.push(run.wrong);
      }
      onSweep(waiting.length, report);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return report;
}

/** Fewer paths than those that open and warm up a device: they are the same for all benchmarks, and swept with the first. */
const CALLS_TO_BEGIN: Record<SimulatedVendor, number> = { nvidia: 95, amd: 65 };

/** Of one vendor, every fault in every benchmark. @param first of the benchmark with this index, below `step` */
export function sweepsOf(vendor: SimulatedVendor, step: number, first: (index: number) => number): Sweep[] {
  const benchmarks = registry.benchmarks.filter(({ spans }) => !spans).map(({ id }) => id);
  return callFaults.flatMap((fault) =>
    benchmarks.map((benchmark, index) => {
      const skipped = index > 0 && fault.startsWith('call') ? CALLS_TO_BEGIN[vendor] : 0;
      return { vendor, fault, benchmark, first: skipped + first(index), step };
    }),
  );
}
