import { execa } from 'execa';
import { join } from 'node:path';

const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 30_000;

export interface CoordinatorProcess {
  baseUrl: string;
  pid: number;
  stop: () => Promise<void>;
}

interface Place {
  root: string;
  dataDir: string;
  /** default: one chosen by the system */
  port?: string;
}

/** Starts `coordinator serve` on a free port of 127.0.0.1 and waits for its ready line. */
export async function startCoordinator({ root, dataDir, port = '0' }: Place): Promise<CoordinatorProcess> {
  const child = execa(process.execPath, [join(root, 'coordinator', 'main.ts'), 'serve'], {
    env: { ...settings(dataDir), HOST: '127.0.0.1', PORT: port, LOG_LEVEL: 'warn' },
    stdin: 'ignore',
    forceKillAfterDelay: STOP_DEADLINE_MS,
    reject: false,
    cleanup: true,
  });
  const deadline = AbortSignal.timeout(START_DEADLINE_MS);
  const abandon = () => child.kill('SIGTERM');
  deadline.addEventListener('abort', abandon);
  for await (const line of child) {
    const match = /listening on (http:\/\/\S+)/.exec(String(line));
    if (match?.[1] === undefined) continue;
    deadline.removeEventListener('abort', abandon);
    return {
      baseUrl: match[1],
      pid: child.pid ?? 0,
      stop: async () => {
        child.kill('SIGTERM');
        await child;
      },
    };
  }
  const { exitCode, stderr } = await child;
  throw new Error(`The coordinator did not start (exit ${exitCode}):\n${stderr}`);
}

/** A user of its own through `coordinator user create`, beside the running server. */
export async function createUser({ root, dataDir }: Place, user: { email: string; password: string }): Promise<void> {
  const options = ['--company', 'Demo', '--role', 'customer_admin', '--tier', 'enterprise'];
  await execa(
    process.execPath,
    [join(root, 'coordinator', 'main.ts'), 'user', 'create', '--email', user.email, '--password', user.password, ...options],
    { env: { ...settings(dataDir), LOG_LEVEL: 'warn' } },
  );
}

const settings = (dataDir: string) => ({ DATA_DIR: dataDir, DATABASE_URL: '' });
