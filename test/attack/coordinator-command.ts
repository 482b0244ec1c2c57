import { execa } from 'execa';
import { join } from 'node:path';
import { run } from '../support/run-program.ts';
import type { Site } from './site.ts';

const root = join(import.meta.dirname, '..', '..');

export interface Ran {
  code: number;
  /** both streams */
  output: string;
}

/** A command of the coordinator beside the running server: in a process of its own, and in this one in the short form. */
export async function coordinatorCommand(
  { dataDir, short }: Pick<Site, 'dataDir' | 'short'>,
  ...argv: string[]
): Promise<Ran> {
  const environment = { DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'silent' };
  if (short) {
    const { code, stdout, stderr } = await run(argv, environment);
    return { code, output: `${stdout}${stderr}`.trimEnd() };
  }
  const { exitCode, all } = await execa(process.execPath, [join(root, 'coordinator', 'main.ts'), ...argv], {
    env: environment,
    stdin: 'ignore',
    all: true,
    reject: false,
  });
  return { code: exitCode ?? -1, output: all };
}
