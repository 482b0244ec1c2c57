import { execa } from 'execa';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Lifetime } from '../support/lifetime.ts';
import { run } from '../support/run-program.ts';
import { HANG_MS } from '../support/until.ts';

export interface CoordinatorProcess {
  baseUrl: string;
  pid: number;
  stop: () => Promise<void>;
}

export interface Place {
  root: string;
  dataDir: string;
  /** default: one chosen by the system */
  port?: string;
  /** default: 127.0.0.1; a lab's own address otherwise */
  host?: string;
  /** further settings of the process */
  environment?: Record<string, string>;
}

/** Whole crowds of simulated machines call from one address; tests of the limits switch them on. No proxy has to learn of a stop. */
const UNLIMITED = { RATE_LIMITS: 'off', DRAIN_SECONDS: '0' };

/** Starts `coordinator serve` on a free port and waits until it says that it is ready. */
export async function startCoordinator({
  root,
  dataDir,
  port = '0',
  host = '127.0.0.1',
  environment = {},
}: Place): Promise<CoordinatorProcess> {
  const child = execa(process.execPath, [join(root, 'coordinator', 'main.ts'), 'serve'], {
    env: { ...settings(dataDir), HOST: host, PORT: port, LOG_LEVEL: 'warn', ...UNLIMITED, ...environment },
    stdin: 'ignore',
    forceKillAfterDelay: HANG_MS,
    reject: false,
    cleanup: true,
  });
  const baseUrl = await Promise.race([
    readyLine(child.stdout),
    child.then(() => null),
    wait(HANG_MS, null, { ref: false }),
  ]);
  if (baseUrl === null) {
    child.kill('SIGTERM');
    const { exitCode, stderr } = await child;
    throw new Error(`The coordinator did not start (exit ${exitCode}):\n${stderr}`);
  }
  return {
    baseUrl,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await child;
    },
  };
}

/** Several at once. All are stopped at the end of the lifetime, also those beside one that does not start. */
export async function startCoordinators(lifetime: Lifetime, places: readonly Place[]): Promise<CoordinatorProcess[]> {
  const starts = places.map((place) => startCoordinator(place));
  lifetime.after(async () => {
    for (const start of await Promise.allSettled(starts)) if (start.status === 'fulfilled') await start.value.stop();
  });
  return Promise.all(starts);
}

/**
 * The address that a coordinator has bound, in the block with which its start ends; reads on after it, so that the pipe never
 * fills.
 */
export function readyLine(stdout: Readable): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => {
      // Earlier releases wrote `listening on URL` and no block.
      const match = /listening on (http:\/\/[^\s)]+)/.exec(line) ?? /^ {2}page +(http:\/\/\S+)/.exec(line);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
  });
}

/** A user of its own through `coordinator user create`, beside the running server; in this process, which is a start less. */
export async function createUser(
  { dataDir, environment = {} }: Pick<Place, 'dataDir' | 'environment'>,
  user: { email: string; password: string; company?: string },
): Promise<void> {
  const options = ['--company', user.company ?? 'Demo', '--role', 'customer_admin', '--tier', 'enterprise'];
  const argv = ['user', 'create', '--email', user.email, '--password', user.password, ...options];
  const { code, stderr } = await run(argv, { ...settings(dataDir), ...environment });
  if (code !== 0) throw new Error(`coordinator user create ended with ${code}: ${stderr}`);
}

const settings = (dataDir: string) => ({ DATA_DIR: dataDir, DATABASE_URL: '' });
