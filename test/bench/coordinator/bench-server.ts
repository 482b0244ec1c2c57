import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface BenchServer {
  ours: number;
  floor: number;
  pid: number;
  stop: () => Promise<void>;
}

/**
 * Starts a file that calls `serveBoth`; its log goes to /dev/null, which costs it as little as a log collector would.
 */
export async function startBenchServer(file: string, databaseUrl: string): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gpumark-bench-data-'));
  const child = spawn(process.execPath, [file], {
    // One customer makes thousands of calls per second; the cost of the limits has its own bench.
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl, DATA_DIR: dataDir, RATE_LIMITS: 'off' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${String(code)}`))),
  ])) as [string];
  const ports = JSON.parse(line) as { ours: number; floor: number };
  return {
    ...ports,
    pid: child.pid ?? 0,
    stop: async () => {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
