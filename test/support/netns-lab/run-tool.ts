import { join } from 'node:path';
import { execa } from 'execa';
import { once } from './once.ts';

const folder = join(import.meta.dirname, 'tool');
const program = join(import.meta.dirname, '../../../native/build/netns-lab/lab-tool');
/** Long enough that only a hang reaches it. */
const HANG_MS = 240_000;

/** Path of lab-tool, which g++ builds at the first call. */
export const labTool = once(async (): Promise<string> => {
  await execa('make', ['-s', '-C', folder]);
  return program;
});

/** Runs lab-tool. @returns its line of JSON. @throws if the tool itself fails, so that no fault goes unverified */
export async function runTool<T>(command: string, ...words: (string | number)[]): Promise<T> {
  const { stdout } = await execa(await labTool(), [command, ...words.map(String)], { timeout: HANG_MS });
  return JSON.parse(stdout) as T;
}
