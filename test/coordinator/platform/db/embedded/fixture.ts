import { spawnSync } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import { connectDatabase, type Sql } from '../../../../../coordinator/platform/db/client.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedOptions,
  type EmbeddedPostgres,
} from '../../../../../coordinator/platform/db/embedded/embedded-postgres.ts';
import { makeDataDir, removeDataDir } from '../../../../support/data-dir.ts';
import { layReadyCluster } from '../../../../support/ready-cluster.ts';

export const IS_ROOT = process.getuid?.() === 0;
export const NOBODY = { uid: 65534, gid: 65534 };

/** Whether the user `nobody` can read it; as an ordinary user, whether we can. */
export function isReadable(path: string): boolean {
  return spawnSync('test', ['-r', path], IS_ROOT ? NOBODY : {}).status === 0;
}

const running = new WeakMap<TestContext, Started[]>();

/** A DATA_DIR that is removed after the test, when the servers that `start` gave it are stopped. */
export async function dataDirFor(t: TestContext): Promise<string> {
  const dir = await makeDataDir();
  running.set(t, []);
  t.after(async () => {
    for (const started of running.get(t) ?? []) await started.stop();
    await removeDataDir(dir);
  });
  return dir;
}

/** The same after a first start: with a cluster, and without the two seconds of processor time that making one takes. */
export async function usedDataDirFor(t: TestContext): Promise<string> {
  const dir = await dataDirFor(t);
  await layReadyCluster(dir);
  return dir;
}

export type Started = { server: EmbeddedPostgres; sql: Sql; logged: string[]; stop: () => Promise<void> };

/** Starts (or attaches to) a server; stopped at the end of the test unless the test does so. */
export async function start(t: TestContext, options: Omit<EmbeddedOptions, 'log'>): Promise<Started> {
  const logged: string[] = [];
  const note = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const server = await startEmbeddedPostgres({
    profile: 'ephemeral',
    ...options,
    log: { info: note, warn: note, error: note },
  });
  const sql = connectDatabase({ embedded: server.connection, max: 2 });
  const stop = async () => {
    await sql.end({ timeout: 2 });
    await server.stop();
  };
  const started = { server, sql, logged, stop };
  running.get(t)?.push(started);
  return started;
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** False also for a process that has ended and whose parent has not noticed yet: it has no command line any more. */
export async function isAlive(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
}
