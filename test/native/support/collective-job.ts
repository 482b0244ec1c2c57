import { execa } from 'execa';
import { createInterface } from 'node:readline';
import { dirname, join } from 'node:path';
import { parseCollectiveLine } from '../../../agent/links/collective/collective-events.ts';
import type { CollectiveEvent, CollectiveMeasured } from '../../../agent/links/collective/collective-events.ts';
import { built } from '../built-runner.ts';
import { backendOf } from '../simulated-gpus.ts';
import { type SimulatedVendor, simulatedDriver } from '../simulated-driver.ts';

export interface CollectiveJob {
  vendor?: SimulatedVendor;
  nodes: number;
  /** of every node */
  devices?: number;
  deadline_seconds?: number;
  /** GPUMARK_SIM_* without its beginning, of all nodes or of one */
  sim?: Record<string, string>;
  simOf?: (node: number) => Record<string, string>;
  /** node that never starts */
  missing?: number;
  /** of the library, below native/build/sim */
  library?: string;
  args?: readonly string[];
}

export interface CollectiveNodeRun {
  exitCode: number | undefined;
  events: CollectiveEvent[];
  measured: CollectiveMeasured | undefined;
  error: { code: string; message: string } | undefined;
  stdout: string;
  seconds: number;
}

export async function simLibrary(folder: string): Promise<string> {
  return join(dirname(await simulatedDriver('nvidia')), folder);
}

/** Environment of a runner on a simulated machine of small devices. */
export async function simEnvironment(
  vendor: SimulatedVendor,
  library: string,
  sim: Record<string, string>,
): Promise<Record<string, string>> {
  const folders = [await simulatedDriver(vendor), ...(library === '' ? [] : [await simLibrary(library)])];
  const named = Object.entries(sim).map(([name, value]): [string, string] =>
    name.startsWith('GPUMARK') ? [name, value] : [`GPUMARK_SIM_${name}`, value],
  );
  return { GPUMARK_SIM_MEMORY_MIB: '32', LD_LIBRARY_PATH: folders.join(':'), ...Object.fromEntries(named) };
}

export const parseEvents = (stdout: string): CollectiveEvent[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map(parseCollectiveLine)
    .filter((event) => event !== null);

/** Starts the maker of an id; it lives until its input is closed. */
export async function makeId(vendor: SimulatedVendor, env: Record<string, string>) {
  const path = await built('gpumark-runner');
  const args = ['collective', '--unique-id', '--device', backendOf[vendor], '--deadline-seconds', '240'];
  const maker = execa(path, args, {
    env,
    extendEnv: false,
    reject: false,
    buffer: false,
    stdin: 'pipe',
  });
  for await (const line of createInterface(maker.stdout)) {
    const event = parseCollectiveLine(line);
    if (event?.event === 'collective_id') return { id: event.unique_id, maker };
    if (event?.event === 'error') throw new Error(event.message);
  }
  throw new Error('no id came');
}

/** All nodes of a job as processes of this machine, one rank per device. */
export async function runCollectiveJob(job: CollectiveJob): Promise<CollectiveNodeRun[]> {
  const { vendor = 'nvidia', nodes, devices = 1, deadline_seconds = 240, missing } = job;
  const library = job.library ?? `collective-${vendor}`;
  const path = await built('gpumark-runner');
  const env = (node: number) =>
    simEnvironment(vendor, library, { DEVICES: String(devices), ...job.sim, ...job.simOf?.(node) });
  const { id, maker } = await makeId(vendor, await env(0));
  const started = Array.from({ length: nodes }, (_, node) => node).filter((node) => node !== missing);
  const runs = started.map(async (node): Promise<CollectiveNodeRun> => {
    const ranks = ['--first-rank', String(node * devices), '--ranks', String(nodes * devices)];
    const limits = ['--deadline-seconds', String(deadline_seconds), ...(job.args ?? [])];
    const begin = performance.now();
    const options = {
      env: await env(node),
      extendEnv: false,
      reject: false,
      input: `${id}\n`,
    } as const;
    const run = await execa(path, ['collective', '--device', backendOf[vendor], ...ranks, ...limits], options);
    const events = parseEvents(run.stdout);
    return {
      exitCode: run.exitCode,
      events,
      measured: events.find((event) => event.event === 'collective'),
      error: events.find((event) => event.event === 'error'),
      stdout: run.stdout,
      seconds: (performance.now() - begin) / 1000,
    };
  });
  const ended = await Promise.all(runs);
  maker.stdin.end();
  await maker;
  return ended;
}
