import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../coordinator/app.ts';
import { createArtifactStore } from '../../coordinator/platform/artifacts/create-artifact-store.ts';
import { readConfig } from '../../coordinator/platform/config.ts';
import { systemContext, type Context, type Platform, idSource } from '../../coordinator/platform/context.ts';
import { listen, type Listening, type ServeLimits } from '../../coordinator/platform/http/serve.ts';
import type { HttpApp } from '../../coordinator/platform/http/mount.ts';
import type { Sql } from '../../coordinator/platform/db/client.ts';
import { createLog } from '../../coordinator/platform/log.ts';
import { testClock, type TestClock } from './clock.ts';

export interface TestApp {
  app: HttpApp;
  platform: Platform;
  /** A context of the system itself, for calling verbs directly. */
  context: Context;
  clock: TestClock;
  /** For DATABASE_URL of a command. */
  databaseUrl: string;
  /** Every log line so far, parsed. */
  logLines: () => Record<string, unknown>[];
  /** The app on a free port of 127.0.0.1; stopped after the test. */
  listen: (limits?: ServeLimits) => Promise<Listening>;
  setDraining: (draining: boolean) => void;
}

export interface AppOptions {
  /** Where the clock begins; it moves only by `clock.advance`. Absent: the real clock. */
  now?: Date;
  environment?: Record<string, string>;
  /** Absent: `debug`, which shows a line for every request. */
  logLevel?: 'debug' | 'info';
}

/** The whole coordinator over a database, without a process of its own, and how to close what it opened. */
export async function appOver(
  database: { sql: Sql; url: string },
  options: AppOptions = {},
): Promise<{ test: TestApp; close: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gpumark-app-'));
  const closers: (() => Promise<unknown>)[] = [];
  const written: string[] = [];
  const log = createLog(options.logLevel ?? 'debug', { write: (line) => void written.push(line) });
  const clock = testClock(options.now);
  const config = readConfig({
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://coordinator.test',
    // Tests that are not about limits call as often as they like.
    RATE_LIMITS: 'off',
    // No test depends on what was built.
    AGENT_DIR: join(dataDir, 'no-agent'),
    ...options.environment,
  });
  const edges = { now: clock.now, randomBytes };
  const artifacts = await createArtifactStore(config, { sql: database.sql, ...edges });
  const platform: Platform = {
    config,
    sql: database.sql,
    artifacts,
    log,
    ...edges,
    newId: idSource(clock.now, randomBytes),
  };
  let draining = false;
  const app = createApp(platform, { processMetrics: false, isDraining: () => draining });
  const test: TestApp = {
    app,
    platform,
    clock,
    databaseUrl: database.url,
    context: systemContext(platform, 'test'),
    logLines: () => written.map((line): Record<string, unknown> => JSON.parse(line)),
    setDraining: (value) => void (draining = value),
    listen: async (limits) => {
      const listening = await listen(app, { host: '127.0.0.1', port: 0 }, limits);
      closers.push(listening.stop);
      return listening;
    },
  };
  const close = async () => {
    for (const closer of closers.toReversed()) await closer();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { test, close };
}
