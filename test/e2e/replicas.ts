import { join } from 'node:path';
import type { Lifetime } from '../support/lifetime.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { startRadosgw, whyNoRadosgw } from '../support/radosgw.ts';
import { root } from '../support/source-files.ts';
import { asAdmin, startTestServer, withDatabase } from '../support/test-server.ts';
import { startCoordinators } from './coordinator-process.ts';

export interface Replicas {
  /** of the balancer */
  baseUrl: string;
  databaseUrl: string;
  /** what all of them are started with */
  environment: Record<string, string>;
  dataDir: string;
  /** kill -9, then the same port by the code of `tree`; resolves when it is ready */
  replace: (at: number, tree?: string) => Promise<void>;
  pids: () => number[];
}

/** Several coordinators on one Postgres and one object store (a shared folder without one), behind a balancer. */
export async function startReplicas(lifetime: Lifetime, folder: string, count: number): Promise<Replicas> {
  const server = await startTestServer(undefined);
  lifetime.after(() => server.stop());
  await asAdmin(server.url, async (admin) => void (await admin`create database replicas`));
  const databaseUrl = withDatabase(server.url, 'replicas');
  const store = whyNoRadosgw === false ? await (await startRadosgw(lifetime)).bucket('replicas') : null;
  const environment: Record<string, string> = {
    DATABASE_URL: databaseUrl,
    TRUSTED_PROXIES: '1',
    ...(store
      ? {
          ARTIFACT_URL: `s3://${store.bucket}/artifacts`,
          AWS_ENDPOINT_URL_S3: store.endpoint,
          AWS_ACCESS_KEY_ID: store.accessKeyId,
          AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
        }
      : {}),
  };
  // With a store each has a disk of its own.
  const dataDirOf = (at: number) => join(folder, store ? `data-${at}` : 'data');
  const place = (at: number) => ({ dataDir: dataDirOf(at), environment });
  // All at once on an empty database: one migrates, the others wait.
  const running = await startCoordinators(
    lifetime,
    Array.from({ length: count }, (_, at) => ({ root, ...place(at) })),
  );
  const ports = running.map(({ baseUrl }) => new URL(baseUrl).port);
  const baseUrl = await startHaproxy(lifetime, ports);
  environment['PUBLIC_URL'] = baseUrl;
  return {
    baseUrl,
    databaseUrl,
    environment,
    dataDir: dataDirOf(0),
    pids: () => running.map(({ pid }) => pid),
    replace: async (at, tree = root) => {
      const killed = running[at];
      if (!killed) throw new Error(`there is no replica ${at}`);
      process.kill(killed.pid, 'SIGKILL');
      const next = { root: tree, ...place(at), port: ports[at] ?? '0' };
      running.splice(at, 1, ...(await startCoordinators(lifetime, [next])));
    },
  };
}
