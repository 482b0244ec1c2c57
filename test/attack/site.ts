import { join } from 'node:path';
import { createUser, startCoordinator } from '../e2e/coordinator-process.ts';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import { layReadyCluster } from '../support/ready-cluster.ts';
import { signIn, type Tenant } from './tenant.ts';

/** Addresses of loopback, each a network of its own for limits counted by network. */
export const INNOCENT_ADDRESS = '127.0.0.1';
export const HOSTILE_ADDRESS = '127.66.0.1';

const root = join(import.meta.dirname, '..', '..');

/** A fresh coordinator process with two customers on it. */
export interface Site {
  baseUrl: string;
  port: number;
  pid: number;
  dataDir: string;
  /** A hundredth of the load, for the form that runs with the tests. */
  short: boolean;
  hostile: Tenant;
  innocent: Tenant;
  /** A further customer, signed in from that address. */
  addTenant: (name: string, address: string) => Promise<Tenant>;
  close: () => Promise<void>;
}

export async function openSite({
  short,
  environment = {},
}: {
  short: boolean;
  environment?: Record<string, string>;
}): Promise<Site> {
  const folder = await makeDataDir();
  const place = { root, dataDir: join(folder, 'data'), environment };
  await layReadyCluster(place.dataDir);
  const coordinator = await startCoordinator(place);
  const tenants: Tenant[] = [];
  const addTenant = async (name: string, address: string): Promise<Tenant> => {
    const user = { email: `${name}@example.com`, password: `${name} horse battery staple`, company: name };
    await createUser(place, user);
    const tenant = await signIn(coordinator.baseUrl, user, address);
    tenants.push(tenant);
    return tenant;
  };
  const close = async () => {
    for (const tenant of tenants) await tenant.close();
    await coordinator.stop();
    await removeDataDir(folder);
  };
  try {
    return {
      baseUrl: coordinator.baseUrl,
      port: Number(new URL(coordinator.baseUrl).port),
      pid: coordinator.pid,
      dataDir: place.dataDir,
      short,
      hostile: await addTenant('hostile', HOSTILE_ADDRESS),
      innocent: await addTenant('innocent', INNOCENT_ADDRESS),
      addTenant,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
