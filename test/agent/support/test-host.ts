import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Host, StopSignal } from '../../../agent/run/host.ts';

export interface TestHost extends Host {
  /** Everything written so far. */
  out(): string;
  err(): string;
  /** As if the terminal sent it. */
  signal(name: StopSignal): void;
  folder: string;
}

interface HostOptions {
  env?: Record<string, string>;
  argv?: string[];
  /** Columns of a terminal; absent = a pipe. */
  columns?: number;
}

/** Nothing is ever bound to it. */
const PRIVATE_ADDRESS = {
  address: '10.9.8.7',
  netmask: '255.255.255.0',
  family: 'IPv4',
  mac: '02:00:00:00:00:01',
  internal: false,
  cidr: '10.9.8.7/24',
} as const;

/** A host of the test's own: a folder for state and installation, captured streams, signals by hand, real time. */
export function testHost(t: TestContext, options: HostOptions = {}): TestHost {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-host-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const written = { out: '', err: '' };
  const listeners = new Set<(signal: StopSignal) => void>();
  const terminal = options.columns === undefined ? {} : { isTTY: true, columns: options.columns };
  let drawn = 0;
  return {
    folder,
    argv: options.argv ?? [],
    env: { GPUMARK_STATE_DIR: join(folder, 'state'), ...options.env },
    stdout: { write: (text) => (written.out += text), ...terminal },
    stderr: { write: (text) => (written.err += text), ...terminal },
    clock: {
      now: () => Date.now(),
      elapsed: () => performance.now(),
      monotonic: () => Number(process.hrtime.bigint()) / 1e6,
      sleep: async (ms, signal) => {
        await wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
      },
    },
    random: {
      fraction: () => 0.5,
      hex: (count) => (drawn += 1).toString(16).padStart(count * 2, 'c'),
      uuid: () => '0f8fad5b-d9cb-469f-a165-70867728950e',
    },
    installation: { version: '9.9.9', revision: 'abc', source_root: folder, embedded_runner: null },
    onStopSignal: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    outliveOutput: () => undefined,
    exitNow: (code) => {
      throw new Error(`exit ${code} now`);
    },
    // The real one takes a second and a half of the disk; collect-inventory.test.ts measures once.
    measureDisk: async () => ({ device: '0:0', speed: { read_speed: null, write_speed: null }, reason: 'not a disk' }),
    // The real one starts twenty processes; collect-inventory.test.ts asks once.
    probeSystem: async () => ({ brand: null, hypervisor: null, modules: null, reasons: {} }),
    networkInterfaces: () => ({ eth0: [PRIVATE_ADDRESS] }),
    system_root: soundMachine(folder),
    user_id: process.getuid?.() ?? 0,
    out: () => written.out,
    err: () => written.err,
    signal: (name) => {
      for (const listener of listeners) listener(name);
    },
  };
}

/** A job token as the coordinator makes them, signed by nobody. */
export function jobToken(coordinator: string | null): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: '1847032911563124736', iss: 'gpumark', ...(coordinator === null ? {} : { coordinator }) };
  return `${part({ alg: 'HS256', typ: 'JWT', kid: 'k1' })}.${part(claims)}.c2lnbmF0dXJlLW9mLXRoZS10ZXN0`;
}

/** The files of this machine without the kernel's log and taint: an oops that it has had is a warning of a run. */
function soundMachine(folder: string): string {
  const root = join(folder, 'machine');
  mkdirSync(join(root, 'proc/sys/kernel'), { recursive: true });
  for (const name of ['etc', 'sys', 'usr']) symlinkSync(`/${name}`, join(root, name));
  for (const name of readdirSync('/proc').filter((one) => !/^(\d+|sys|kmsg)$/.test(one)))
    symlinkSync(`/proc/${name}`, join(root, 'proc', name));
  symlinkSync('/proc/sys/kernel/random', join(root, 'proc/sys/kernel/random'));
  return root;
}
