import { execa } from 'execa';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runRunner, type RunnerRequest } from '../../agent/kernels/run-runner.ts';
import type { RunnerEvent, RunnerEventOf } from '../../agent/kernels/runner-events.ts';

const native = join(import.meta.dirname, '../../native');

/** Builds what is out of date and gives the path. Test files run side by side, hence the lock. */
export async function built(
  name: 'gpumark-runner' | 'gpumark-runner-faulty' | 'unit-tests' | 'floor-check',
): Promise<string> {
  mkdirSync(join(native, 'build'), { recursive: true });
  await execa('flock', [join(native, 'build/lock'), 'make', '-s', '-j2', '-C', native, `build/${name}`]);
  return join(native, 'build', name);
}

/** All events of one run. */
export async function eventsOf(
  path: string,
  args: readonly string[],
  more: Partial<RunnerRequest> = {},
): Promise<RunnerEvent[]> {
  const events: RunnerEvent[] = [];
  for await (const event of runRunner({ path, args, deadline_seconds: 120, ...more })) events.push(event);
  return events;
}

export const ofKind = <Kind extends RunnerEvent['event']>(
  events: readonly RunnerEvent[],
  kind: Kind,
): RunnerEventOf<Kind>[] => events.filter((event): event is RunnerEventOf<Kind> => event.event === kind);
