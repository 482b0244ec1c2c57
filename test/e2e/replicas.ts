import { join } from 'node:path';
import type { Lifetime } from '../support/lifetime.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { startRadosgw, whyNoRadosgw } from '../support/radosgw.ts';
import { root } from '../support/source-files.ts';
import { asAdmin, startTestServer, withDatabase } from '../support/test-server.ts';
import { startReplaceable } from './replaceable-coordinator.ts';

export interface Replicas {
  /** of the balancer */
  baseUrl: string;
  databaseUrl: string;
  /** what all of them are started with */
  environment: Record<string, string>;
  dataDir: string;
  /** kill -9, then the code of `tree` in its place; resolves when it is ready */
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
  const running = await Promise.all(
    Array.from({ length: count }, (_, at) => startReplaceable(lifetime, { root, ...place(at) })),
  );
  const baseUrl = await startHaproxy(
    lifetime,
    running.map((replica) => new URL(replica.baseUrl).port),
  );
  // For those that are to come, and for commands.
  environment['PUBLIC_URL'] = baseUrl;
  return {
    baseUrl,
    databaseUrl,
    environment,
    dataDir: dataDirOf(0),
    pids: () => running.map(({ current }) => current().pid),
    replace: async (at, tree = root) => {
      const replica = running[at];
      if (!replica) throw new Error(`there is no replica ${at}`);
      process.kill(replica.current().pid, 'SIGKILL');
      await replica.replace(tree);
    },
  };
}
