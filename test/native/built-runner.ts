import { execa } from 'execa';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runRunner, type RunnerRequest } from '../../agent/kernels/run-runner.ts';
import type { RunnerEvent, RunnerEventOf } from '../../agent/kernels/runner-events.ts';

const native = join(import.meta.dirname, '../../native');
/** Set by `make test`, which has built everything but the floor check. */
export const isBuilt = process.env['GPUMARK_TEST_BUILT'] === '1';

type Program = 'gpumark-runner' | 'gpumark-runner-faulty' | 'unit-tests' | 'floor-check';
const building = new Map<Program, Promise<unknown>>();

/**
 * Builds what is out of date, unless `make test` has, and returns the path. Test files run in parallel, hence the lock.
 */
export async function built(name: Program): Promise<string> {
  if (!isBuilt || name === 'floor-check') {
    mkdirSync(join(native, 'build'), { recursive: true });
    const make = ['make', '-s', '-j2', '-C', native, `build/${name}`];
    await building.getOrInsertComputed(name, () => execa('flock', [join(native, 'build/lock'), ...make]));
  }
  return join(native, 'build', name);
}

/** All events of one run. */
export async function eventsOf(
  path: string,
  args: readonly string[],
  more: Partial<RunnerRequest> = {},
): Promise<RunnerEvent[]> {
  const events: RunnerEvent[] = [];
  for await (const event of runRunner({ path, args, deadline_seconds: 240, ...more })) events.push(event);
  return events;
}

export const ofKind = <Kind extends RunnerEvent['event']>(
  events: readonly RunnerEvent[],
  kind: Kind,
): RunnerEventOf<Kind>[] => events.filter((event): event is RunnerEventOf<Kind> => event.event === kind);

/**
 * A memory limit in bytes, as text, that fits arrays of four times this machine's last-level cache; servers have up to
 * a GiB.
 */
export async function memoryBeyondCache(path: string): Promise<string> {
  const devices = ofKind(await eventsOf(path, ['--list']), 'device');
  const cache = devices.find(({ backend }) => backend === 'cpu')?.attributes['llc_bytes'];
  return String(Math.max(600 * 2 ** 20, 16 * Number(cache ?? 0)));
}
