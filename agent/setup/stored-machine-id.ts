import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RandomSource } from '../run/host.ts';
import { makeDirectory } from '../state/make-directory.ts';

/** For machines that tell nothing about themselves: a random id, drawn once and kept with the agent's state. */
export function storedMachineId(stateDirectory: string, random: RandomSource): string {
  const path = join(stateDirectory, 'machine-id');
  makeDirectory(stateDirectory);
  try {
    writeFileSync(path, random.uuid(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
