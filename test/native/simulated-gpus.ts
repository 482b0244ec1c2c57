import assert from 'node:assert/strict';
import { execa } from 'execa';
import { parseLine } from '../../agent/kernels/parse-line.ts';
import type { DeviceEvent, ResultEvent, RunnerEvent } from '../../agent/kernels/runner-events.ts';
import { built, ofKind } from './built-runner.ts';
import { type SimulatedVendor, simulatedDriver } from './simulated-driver.ts';

type Folder = Parameters<typeof simulatedDriver>[0];

export interface SimulatedRun {
  events: RunnerEvent[];
  exitCode: number | undefined;
  codes: string[];
  /** The only result of a metric; of one device if `device` is given. */
  result: (metric: string, device?: string) => ResultEvent;
  devices: DeviceEvent[];
  /** Metrics that have a value. */
  measured: string[];
}

export interface Machine {
  /** The drivers that the machine has. */
  drivers: Folder[];
  /** GPUMARK_SIM_* without its beginning, or a variable of another name as it is; GPUMARK_TEST_LIBRARIES is one more folder for the loader. */
  sim?: Record<string, string>;
  runner?: 'gpumark-runner' | 'gpumark-runner-faulty';
}

export const backendOf = { nvidia: 'cuda', amd: 'rocm' } as const;
export const vendors: SimulatedVendor[] = ['nvidia', 'amd'];

/** The runner and the options to start it with, on a simulated machine of small, quick devices. */
export async function runnerOn(machine: Machine) {
  const libraries = await Promise.all(machine.drivers.map(simulatedDriver));
  const { GPUMARK_TEST_LIBRARIES: further, ...sim } = machine.sim ?? {};
  const folders = further === undefined ? libraries : [...libraries, further];
  const env: Record<string, string> = { GPUMARK_SIM_MEMORY_MIB: '32', LD_LIBRARY_PATH: folders.join(':') };
  for (const [name, value] of Object.entries(sim)) {
    env[/VISIBLE|^GPUMARK/.test(name) ? name : `GPUMARK_SIM_${name}`] = value;
  }
  const path = await built(machine.runner ?? 'gpumark-runner');
  const options = { env, extendEnv: false, reject: false, stdin: 'ignore', stderr: 'ignore' } as const;
  return { path, options };
}

/** The whole of one run; every line goes through the agent's schema. Benchmarks take a fiftieth of their time unless `args` say more. */
export async function runOn(machine: Machine, args: readonly string[]): Promise<SimulatedRun> {
  const scaled = args[0] === 'run' && !args.includes('--time-scale') ? [...args, '--time-scale', '0.02'] : args;
  const { path, options } = await runnerOn(machine);
  const { stdout, exitCode } = await execa(path, [...scaled], options);
  return readRun(stdout, exitCode);
}

export function readRun(stdout: string, exitCode: number | undefined): SimulatedRun {
  const events = stdout
    .split('\n')
    .map(parseLine)
    .filter((event) => event !== null);
  assert.equal(ofKind(events, 'summary')[0]?.exit_code, exitCode);
  assert.equal(events.at(-1)?.event, 'summary');
  const results = ofKind(events, 'result');
  const result = (metric: string, device?: string): ResultEvent => {
    const found = results.filter((one) => one.metric === metric && (device === undefined || one.device_id === device));
    const [answer] = found;
    assert.ok(answer !== undefined && found.length === 1, `${metric} is answered ${found.length} times`);
    return answer;
  };
  return {
    events,
    exitCode,
    codes: ofKind(events, 'error').map((error) => error.code),
    result,
    devices: ofKind(events, 'device'),
    measured: results.filter((one) => one.value !== null).map((one) => one.metric),
  };
}

/** Ids of the usable GPUs, in the driver's order. */
export async function idsOn(machine: Machine): Promise<string[]> {
  const { devices } = await runOn(machine, ['--list']);
  return devices.filter((one) => one.vendor !== 'cpu' && one.status === 'ok').map((one) => one.device_id);
}
