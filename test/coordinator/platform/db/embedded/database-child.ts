import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { EmbeddedOptions } from '../../../../../coordinator/platform/db/embedded/embedded-postgres.ts';

const line = z.object({
  ready: z.literal(true).optional(),
  pid: z.number().optional(),
  attached: z.boolean().optional(),
  host: z.string().optional(),
  acknowledged: z.number().optional(),
  log: z.string().optional(),
});
export type Line = z.infer<typeof line>;

const PROGRAM = fileURLToPath(new URL('./database-process.ts', import.meta.url));

/** Starts `database-process.ts`; `until` resolves with the first line that fits, and fails when the child ends first. */
export function startChild(
  options: Omit<EmbeddedOptions, 'log'>,
  settings: { insert?: boolean; uid?: number; gid?: number } = {},
) {
  const { insert, ...identity } = settings;
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(options), ...(insert ? ['insert'] : [])], {
    ...identity,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  let errors = '';
  let ended = false;
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(line.parse(JSON.parse(text)));
    for (const wake of waiting) wake();
  });
  const watchEnd = async () => {
    await once(child, 'close');
    ended = true;
    for (const wake of waiting) wake();
  };
  const exited = watchEnd();
  const until = async (fits: (line: Line) => boolean): Promise<Line> => {
    for (;;) {
      const found = lines.find(fits);
      if (found) return found;
      if (ended) throw new Error(`the child ended first: ${errors}`);
      await new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
      });
    }
  };
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await exited;
  };
  return { lines, until, end, ready: () => until((line) => line.ready === true), errors: () => errors };
}
