import { join } from 'node:path';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import { layReadyCluster } from '../support/ready-cluster.ts';
import type { Lifetime } from '../support/lifetime.ts';
import { createUser, startCoordinator, type CoordinatorProcess } from './coordinator-process.ts';
import { jobClient } from './job-client.ts';

export const root = join(import.meta.dirname, '..', '..');

export interface Deployment {
  /** holds the coordinator's data and whatever else the test keeps */
  folder: string;
  coordinator: CoordinatorProcess;
  user: { email: string; password: string };
  customer: Awaited<ReturnType<typeof jobClient>>;
  /** after the process was killed: another on the same data and port, stopped at the end like the first */
  restart: () => Promise<void>;
}

/** A real coordinator process on data of its own, with one signed-in customer; all gone when the test ends. */
export async function deploy(t: Lifetime, host = '127.0.0.1'): Promise<Deployment> {
  const folder = await makeDataDir();
  const place = { root, dataDir: join(folder, 'data'), host };
  const user = { email: 'customer@example.com', password: 'correct horse battery' };
  await layReadyCluster(place.dataDir);
  const coordinator = await startCoordinator(place);
  const deployment: Deployment = {
    folder,
    coordinator,
    user,
    customer: await createUser(place, user).then(() => jobClient(coordinator.baseUrl, user)),
    restart: async () => {
      const { port } = new URL(coordinator.baseUrl);
      deployment.coordinator = await startCoordinator({ ...place, port });
    },
  };
  t.after(async () => {
    await deployment.coordinator.stop();
    await removeDataDir(folder);
  });
  return deployment;
}
