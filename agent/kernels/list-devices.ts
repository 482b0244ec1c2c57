import { execa } from 'execa';
import { z } from 'zod';
import { RunnerError } from './runner-error.ts';
import { startFailure } from './start-failure.ts';
import { runRunner } from './run-runner.ts';
import type { DeviceEvent } from './runner-events.ts';

/** Starting an idle GPU driver can take several seconds per card. */
const listDeadlineSeconds = 60;

/**
 * Lists every device of every backend, usable or not; a backend without one gives an entry with the reason. Cards stand in the
 * order of their PCI addresses, which numbers them as the board does, whatever the driver's order is.
 * @throws RunnerError
 */
export async function listDevices(runnerPath: string, cancelSignal?: AbortSignal): Promise<DeviceEvent[]> {
  const devices: DeviceEvent[] = [];
  const request = { path: runnerPath, args: ['--list'], deadline_seconds: listDeadlineSeconds };
  for await (const event of runRunner(
    cancelSignal === undefined ? request : { ...request, cancel_signal: cancelSignal },
  )) {
    if (event.event === 'device') devices.push(event);
  }
  return inPciOrder(devices);
}

/** Cards without an address keep their places, and so does each backend. */
export function inPciOrder<T extends Pick<DeviceEvent, 'backend' | 'pci_id'>>(devices: readonly T[]): T[] {
  const queues = new Map(
    [...Map.groupBy(devices, ({ backend }) => backend)].map(([backend, all]) => [
      backend,
      all.filter(isAddressed).toSorted((a, b) => compareAddresses(addressOf(a), addressOf(b))),
    ]),
  );
  return devices.map((device) => (isAddressed(device) ? (queues.get(device.backend)?.shift() ?? device) : device));
}

const isAddressed = ({ pci_id: id }: Pick<DeviceEvent, 'pci_id'>): boolean => id !== null && PCI_ADDRESS.test(id);

/** `0000:1b:00.0`; bridges of some machines have domains of more than four digits. */
const PCI_ADDRESS = /^[0-9a-f]+(:[0-9a-f]+){2}\.[0-7]$/i;

const addressOf = ({ pci_id: id }: Pick<DeviceEvent, 'pci_id'>): number[] =>
  (id ?? '').split(/[:.]/).map((part) => Number.parseInt(part, 16));

const compareAddresses = (a: readonly number[], b: readonly number[]): number =>
  a.map((part, at) => part - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

const seconds = z.number().nonnegative();
const registry = z.object({
  benchmarks: z.array(
    z.object({
      id: z.string(),
      metrics: z.array(z.string()).min(1),
      seconds: z.object({ quick: seconds, standard: seconds, soak: seconds }),
    }),
  ),
});
export type RunnerBenchmark = z.infer<typeof registry>['benchmarks'][number];

/**
 * Lists the benchmarks compiled into the runner, in its order.
 * @throws RunnerError crashed if it cannot be run or prints something else
 */
export async function listBenchmarks(runnerPath: string): Promise<RunnerBenchmark[]> {
  const limits = { timeout: 10_000, maxBuffer: 1_000_000, stdin: 'ignore' } as const;
  try {
    const { stdout } = await execa(runnerPath, ['--list', '--json'], limits);
    return registry.parse(JSON.parse(stdout)).benchmarks;
  } catch (cause) {
    const limit = startFailure(cause);
    if (limit !== null) throw limit;
    throw new RunnerError(
      'crashed',
      `the runner ${runnerPath} does not say which benchmarks it has`,
      'Build it with make native, or reinstall the agent.',
      cause,
    );
  }
}
