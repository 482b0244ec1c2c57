import { execa } from 'execa';
import { join } from 'node:path';
import type { Site } from './site.ts';

const root = join(import.meta.dirname, '..', '..');
/** Milliseconds; a command that a hostile source holds up ends by itself before. */
const TIMEOUT_MS = 60_000;

export interface Ran {
  code: number;
  /** both streams */
  output: string;
}

/** A command of the coordinator in a process of its own, beside the running server. */
export async function coordinatorCommand({ dataDir }: Pick<Site, 'dataDir'>, ...argv: string[]): Promise<Ran> {
  const { exitCode, all } = await execa(process.execPath, [join(root, 'coordinator', 'main.ts'), ...argv], {
    env: { DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'silent' },
    stdin: 'ignore',
    all: true,
    reject: false,
    timeout: TIMEOUT_MS,
  });
  return { code: exitCode ?? -1, output: all };
}
