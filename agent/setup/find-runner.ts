import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { extractRunner } from './extract-runner.ts';
import { cacheDirectories } from '../state/private-directory.ts';

/**
 * Path of a runner that can be executed: unpacked from the single executable, or the one built in the source tree.
 * @throws ExitError kernel if there is none
 */
export async function findRunner(host: Host): Promise<string> {
  const { embedded_runner, source_root } = host.installation;
  if (embedded_runner !== null) return await extractRunner(embedded_runner(), cacheDirectories(host));
  const path = join(source_root ?? '.', 'native/build/gpumark-runner');
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch (cause) {
    throw new ExitError(
      'kernel',
      `the runner ${path} is missing or cannot be executed`,
      'Build it with: make native',
      cause,
    );
  }
}
