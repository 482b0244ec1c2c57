import { execa } from 'execa';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt } from './built-runner.ts';

export type SimulatedVendor = 'nvidia' | 'amd';

const native = join(import.meta.dirname, '../../native');
const source = join(import.meta.dirname, '../support/simulated-driver');
const built = join(native, 'build/sim');

let building: Promise<unknown> | undefined;

/**
 * Builds the simulated drivers if they are out of date, unless `make test` has, and returns the folder for
 * LD_LIBRARY_PATH. Several, joined by ':', make a machine with both vendors; the -without- folders have no telemetry
 * library.
 */
export async function simulatedDriver(
  folder: SimulatedVendor | 'nvidia-without-nvml' | 'nvml-old' | 'amd-without-smi' | 'amd-smi-27',
): Promise<string> {
  if (!isBuilt) {
    mkdirSync(join(native, 'build'), { recursive: true });
    // Test files run side by side, hence the lock.
    building ??= execa('flock', [join(native, 'build/sim.lock'), 'make', '-s', '-j2', '-C', source]);
    await building;
  }
  return join(built, folder);
}

export interface ClientRun {
  stdout: string;
  stderr: string;
  exitCode: number | undefined;
}

/** One check of the client, in a process that sees the simulated machine that `env` describes and nothing else of ours. */
export async function runClient(
  vendor: SimulatedVendor,
  command: string,
  env: Record<string, string> = {},
  folder: Parameters<typeof simulatedDriver>[0] = vendor,
): Promise<ClientRun> {
  const libraries = await simulatedDriver(folder);
  const { stdout, stderr, exitCode } = await execa(join(built, 'client'), [vendor, join(native, 'images'), command], {
    extendEnv: false,
    env: { LD_LIBRARY_PATH: libraries, ...env },
    reject: false,
  });
  return { stdout, stderr, exitCode };
}
