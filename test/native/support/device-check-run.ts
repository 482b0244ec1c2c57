import { execa } from 'execa';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../built-runner.ts';
import { simulatedDriver } from '../simulated-driver.ts';

/** Where the check's own sources are. */
export const deviceFolder = join(import.meta.dirname, '../../device');
export const sources = join(deviceFolder, 'main.ts');
let bundle: Promise<string> | undefined;

/** The one-file build, alone in a folder. */
async function oneFile(): Promise<string> {
  const path = join(workPlace(), 'device-check.cjs');
  await execa(process.execPath, [join(deviceFolder, 'build-bundle.ts'), path]);
  return path;
}

/** A temporary working folder for the check, with a `bin` that comes first on PATH; removed when the tests end. */
export function workPlace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'device-check-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'bin'));
  return folder;
}

/** Puts a program of our own on the check's PATH; `source` is a CommonJS script. */
export function fakeProgram(folder: string, name: string, source: string): void {
  const path = join(folder, 'bin', name);
  writeFileSync(path, `#!${process.execPath}\n${source}\n`);
  chmodSync(path, 0o755);
}

/**
 * Starts the check, built into one file that needs nothing beside it but the runner, on a simulated machine of small
 * devices; one short round unless `args` say otherwise. PATH has the place's own programs and nothing else, so a torch
 * installed on this machine is not used.
 */
export async function startCheck(
  folder: string,
  args: readonly string[],
  env: Record<string, string> = {},
  entry?: string,
) {
  const program = entry ?? (await (bundle ??= oneFile()));
  const runner = await built('gpumark-runner');
  const libraries = `${await simulatedDriver('nvidia')}:${await simulatedDriver('amd')}`;
  mkdirSync(join(folder, 'bin'), { recursive: true });
  return {
    process: execa(process.execPath, [program, '--runner', runner, '--rounds', '1', '--time-scale', '0.02', ...args], {
      cwd: folder,
      extendEnv: false,
      env: {
        PATH: join(folder, 'bin'),
        LD_LIBRARY_PATH: libraries,
        // Hides AMD cards, simulated or real.
        HIP_VISIBLE_DEVICES: '',
        GPUMARK_SIM_MEMORY_MIB: '32',
        GPUMARK_SIM_L2_KIB: '256',
        // Without matrix units, whose simulation is slow.
        GPUMARK_SIM_ARCH: 'sm_70',
        ...env,
      },
      reject: false,
    }),
  };
}

/** The check from start to end. */
export async function runCheck(
  folder: string,
  args: readonly string[],
  env: Record<string, string> = {},
  entry?: string,
) {
  return (await startCheck(folder, args, env, entry)).process;
}
