import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LinkClock } from '../../../../agent/links/link-clock.ts';
import { built } from '../../../native/built-runner.ts';
import { simulatedDriver } from '../../../native/simulated-driver.ts';

/** A program that is the real runner on a simulated machine: `folders` of native/build/sim. */
export async function simulatedRunner(
  t: { after: (done: () => void) => void },
  folders: readonly string[],
  sim: Readonly<Record<string, string>> = {},
): Promise<string> {
  const runner = await built('gpumark-runner');
  const libraries = dirname(await simulatedDriver('nvidia'));
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-collective-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    GPUMARK_SIM_MEMORY_MIB: '32',
    LD_LIBRARY_PATH: folders.map((name) => join(libraries, name)).join(':'),
    ...sim,
  };
  const path = join(folder, 'gpumark-runner');
  const words = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
  // exec: the process is the runner, and signals are its own.
  writeFileSync(path, `#!/bin/sh\n${words.join('\n')}\nexec '${runner}' "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** The coordinator's clock, which is `start` now. */
export function clockFrom(start: number): LinkClock {
  const begin = performance.now();
  const now_ms = (): number => start + performance.now() - begin;
  return {
    now_ms,
    async sleepUntil(ms, signal) {
      await delay(Math.max(0, ms - now_ms()), undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    },
  };
}
