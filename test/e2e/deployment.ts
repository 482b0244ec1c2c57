import { join } from 'node:path';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import { layReadyCluster } from '../support/ready-cluster.ts';
import type { Lifetime } from '../support/lifetime.ts';
import { createUser, startCoordinator, type CoordinatorProcess } from './coordinator-process.ts';
import { jobClient } from './job-client.ts';
import { startReplaceable } from './replaceable-coordinator.ts';

export const root = join(import.meta.dirname, '..', '..');

export interface Deployment {
  /** holds the coordinator's data and whatever else the test keeps */
  folder: string;
  baseUrl: string;
  /** the process that runs now */
  coordinator: () => CoordinatorProcess;
  user: { email: string; password: string };
  customer: Awaited<ReturnType<typeof jobClient>>;
  /** after the process was killed: another on the same data and at the same address, stopped at the end like the first */
  restart: () => Promise<void>;
}

/** A real coordinator process on data of its own, with one signed-in customer; all gone when the test ends. */
export const deploy = (t: Lifetime): Promise<Deployment> =>
  deployWith(t, async (dataDir, lifetime) => {
    const { baseUrl, current, replace } = await startReplaceable(lifetime, { root, dataDir });
    return { baseUrl, coordinator: current, restart: () => replace() };
  });

/** The same at an address that belongs to this test alone, so that a restart finds its port free. */
export const deployOn = (t: Lifetime, host: string): Promise<Deployment> =>
  deployWith(t, async (dataDir, lifetime) => {
    const place = { root, dataDir, host };
    let running = await startCoordinator(place);
    const { baseUrl } = running;
    lifetime.after(() => running.stop());
    const restart = async (): Promise<void> => {
      running = await startCoordinator({ ...place, port: new URL(baseUrl).port });
    };
    return { baseUrl, coordinator: () => running, restart };
  });

async function deployWith(
  t: Lifetime,
  start: (dataDir: string, lifetime: Lifetime) => Promise<Pick<Deployment, 'baseUrl' | 'coordinator' | 'restart'>>,
): Promise<Deployment> {
  const folder = await makeDataDir();
  const dataDir = join(folder, 'data');
  const closers: (() => Promise<void>)[] = [() => removeDataDir(folder)];
  t.after(async () => {
    for (const close of closers.toReversed()) await close();
  });
  const user = { email: 'customer@example.com', password: 'correct horse battery' };
  await layReadyCluster(dataDir);
  const started = await start(dataDir, { after: (close) => void closers.push(close) });
  await createUser({ dataDir }, user);
  return { folder, user, customer: await jobClient(started.baseUrl, user), ...started };
}
