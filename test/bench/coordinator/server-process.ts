import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createApp } from '../../../coordinator/app.ts';
import { createArtifactStore } from '../../../coordinator/platform/artifacts/create-artifact-store.ts';
import { readConfig } from '../../../coordinator/platform/config.ts';
import { type Platform, idSource } from '../../../coordinator/platform/context.ts';
import { connectDatabase } from '../../../coordinator/platform/db/client.ts';
import { listen } from '../../../coordinator/platform/http/serve.ts';
import { createLog } from '../../../coordinator/platform/log.ts';

/** Size of the pool that `serve` opens. */
const POOL = 16;

/**
 * The process under test: the app as `serve` runs it and, on a separate port, a bare handler as the floor. Prints the
 * two ports and runs until its stdin ends.
 */
export async function serveBoth(floorOf: (platform: Platform) => RequestListener): Promise<void> {
  const platform = await benchPlatform();
  const ours = await serveApp(platform, { processMetrics: true });
  const floor = createServer(floorOf(platform));
  floor.listen(0, '127.0.0.1', () => {
    const address = floor.address();
    sayPorts({ ours, floor: typeof address === 'object' ? (address?.port ?? 0) : 0 });
  });
}

/** The platform that `serve` builds from the environment. */
export async function benchPlatform(): Promise<Platform> {
  const now = () => new Date();
  const config = readConfig({ ...process.env, PUBLIC_URL: 'http://127.0.0.1' });
  const sql = connectDatabase({ url: config.databaseUrl ?? '', max: POOL, applicationName: 'gpumark bench server' });
  return {
    config,
    sql,
    artifacts: await createArtifactStore(config, { sql, now, randomBytes }),
    log: createLog(config.logLevel),
    now,
    randomBytes,
    newId: idSource(now, randomBytes),
  };
}

/** Serves the app on a free port and returns the port. */
export async function serveApp(platform: Platform, { processMetrics }: { processMetrics: boolean }): Promise<number> {
  const app = createApp(platform, { processMetrics, isDraining: () => false });
  return (await listen(app, { host: '127.0.0.1', port: 0 })).port;
}

export function sayPorts(ports: { ours: number; floor: number }): void {
  process.stdout.write(`${JSON.stringify(ports)}\n`);
  process.stdin.resume();
  process.stdin.once('end', () => process.exit(0));
}
